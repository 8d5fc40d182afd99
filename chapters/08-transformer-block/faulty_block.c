/* A block that may be wired wrongly: see faulty_block.h. */
#include "08-transformer-block/faulty_block.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

enum { STREAM_INIT = 1, STREAM_DATA };
enum {
    D_MODEL = 16,
    N_HEAD = 2,
    BATCH = 4,
    LENGTH = 8,
    SIZE = BATCH * LENGTH * D_MODEL
};

const char *fault_name(Fault fault) {
    static const char *const names[N_FAULTS] = {
        [WIRED_RIGHT] = "right",
        [NO_FIRST_SUM] = "no first sum",
        [NO_SECOND_SUM] = "no second sum",
        [PARALLEL] = "parallel",
        [FFN_FIRST] = "FFN first",
        [ONE_NORM] = "one norm",
        [CUT_OFF] = "cut off",
    };
    if (fault >= N_FAULTS) die("fault %d: expected 0 to %d", (int)fault, N_FAULTS - 1);
    return names[fault];
}

void faulty_block_rewire(FaultyBlock *b, Fault fault) {
    if (fault == WIRED_RIGHT || fault >= N_FAULTS)
        die("faulty_block_rewire: wire %d, expected 1 to %d", (int)fault, N_FAULTS - 1);
    b->wrong[fault] = !b->wrong[fault];
}

/* Branches are small beside the stream, so that the stream's own gradient can be told
 * apart. */
FaultyBlock *faulty_block_create(uint64_t seed, const Fault *faults, size_t n) {
    FaultyBlock *b = checked_alloc(1, sizeof *b);
    Random init = random_stream(seed, STREAM_INIT);
    BlockConfig config = block_config_gpt2(D_MODEL, N_HEAD);
    *b = (FaultyBlock){.params = {.mode = PARAMS_TRAIN}, .seed = seed};
    b->block = block_create(&b->params, &init, &config, 0.25f, 0.06f, "h.0");
    for (size_t i = 0; i < n; i++) faulty_block_rewire(b, faults[i]);
    return b;
}

void faulty_block_free(FaultyBlock *b) {
    block_free(&b->block);
    params_free(&b->params);
    free(b);
}

static Tensor *attention_branch(Tape *t, const FaultyBlock *b, Tensor *x) {
    Tensor *a = attention(t, &b->block.attn, norm(t, &b->block.ln_1, x));
    return b->wrong[CUT_OFF] ? tape_input(t, a->ndim, a->shape, a->data) : a;
}

static Tensor *ffn_branch(Tape *t, const FaultyBlock *b, Tensor *x) {
    return ffn(t, &b->block.mlp,
               norm(t, b->wrong[ONE_NORM] ? &b->block.ln_1 : &b->block.ln_2, x));
}

Tensor *faulty_block_forward(Tape *t, const FaultyBlock *b, Tensor *x) {
    bool swapped = b->wrong[FFN_FIRST];
    Tensor *first = swapped ? ffn_branch(t, b, x) : attention_branch(t, b, x);
    Tensor *h = b->wrong[NO_FIRST_SUM] ? first : tape_add(t, x, first);
    Tensor *read = b->wrong[PARALLEL] ? x : h;
    Tensor *second = swapped ? attention_branch(t, b, read) : ffn_branch(t, b, read);
    return b->wrong[NO_SECOND_SUM] ? second : tape_add(t, h, second);
}

/* The norm of the sum of dy [rows, D_MODEL] over its rows. */
static double norm_of_sum(const float *dy) {
    double square = 0;
    for (size_t c = 0; c < D_MODEL; c++) {
        double sum = 0;
        for (size_t i = c; i < SIZE; i += D_MODEL) sum += (double)dy[i];
        square += sum * sum;
    }
    return sqrt(square);
}

static double share(const float *dx, const float *dy) {
    double both = 0, square = 0;
    for (size_t i = 0; i < SIZE; i++) {
        both += (double)dx[i] * (double)dy[i];
        square += (double)dy[i] * (double)dy[i];
    }
    return both / square;
}

BlockGradients faulty_block_gradients(FaultyBlock *b) {
    float values[SIZE], dy[SIZE];
    Random data = random_stream(b->seed, STREAM_DATA);
    random_fill_normal(&data, values, SIZE, 1);
    random_fill_normal(&data, dy, SIZE, 1);
    Tape t = tape_create(b->seed);
    Tensor *x = tape_tensor(&t, 3, (size_t[]){BATCH, LENGTH, D_MODEL}, true);
    for (size_t i = 0; i < SIZE; i++) x->data[i] = values[i];
    params_zero_grad(&b->params);
    tape_backward(&t, tape_weighted_sum(&t, faulty_block_forward(&t, b, x), dy));
    const Block *block = &b->block;
    BlockGradients g = {
        .out = norm_of_sum(dy),
        .through = share(x->grad, dy),
        .ln_1 = tensor_grad_norm(block->ln_1.layer.gain),
        .attn = tensor_grad_norm(block->attn.c_proj.weight),
        .attn_bias = tensor_grad_norm(block->attn.c_proj.bias),
        .ln_2 = tensor_grad_norm(block->ln_2.layer.gain),
        .mlp = tensor_grad_norm(block->mlp.down.weight),
        .mlp_bias = tensor_grad_norm(block->mlp.down.bias),
    };
    tape_free(&t);
    return g;
}
