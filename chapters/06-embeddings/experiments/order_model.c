/* A task that cannot be learned without positions: see order_model.h.
 *
 * Each word goes through the same ReLU layer, and the model answers from the mean over the words. So it knows
 * which words occur; where they stand it can know only if their vectors say so. */
#include "06-embeddings/experiments/order_model.h"

#include <string.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/positions.h"
#include "06-embeddings/sinusoidal.h"

const char *const order_positions_names[N_ORDER_POSITIONS] = {"none", "learned", "sinusoidal"};

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };
enum { WORDS = 16, LENGTH = 8, DIM = 32, HIDDEN = 64, BATCH = 64, TEST_BATCH = 1024 };

typedef struct {
    Params params, fixed; /* what is learned, and what is not */
    Tensor *wte, *wpe;    /* wpe: NULL without positions */
    Linear hidden, head;
} Model;

static Model model_create(OrderPositions kind, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Model m = {.params = {.mode = PARAMS_TRAIN}, .fixed = {.mode = PARAMS_INFER}};
    m.wte = params_add(&m.params, 2, (size_t[]){WORDS, DIM}, "wte.weight");
    random_fill_normal(&init, m.wte->data, WORDS * DIM, 0.3f);
    if (kind != ORDER_NO_POSITIONS) {
        m.wpe = params_add(kind == ORDER_LEARNED ? &m.params : &m.fixed, 2, (size_t[]){LENGTH, DIM},
                           "wpe.weight");
        if (kind == ORDER_LEARNED)
            random_fill_normal(&init, m.wpe->data, LENGTH * DIM, 0.3f);
        else
            sinusoidal_table(m.wpe->data, LENGTH, DIM);
    }
    m.hidden = linear_create(&m.params, &init, DIM, HIDDEN, true, 0.2f, "hidden");
    m.head = linear_create(&m.params, &init, HIDDEN, 2, true, 0.2f, "head");
    return m;
}

/* Words 0 and 1 somewhere among six others; the answer is 1 if word 0 comes first. */
static void sentences(int *tokens, int *answers, size_t batch, Random *r) {
    for (size_t b = 0; b < batch; b++) {
        int *row = tokens + b * LENGTH;
        for (size_t i = 0; i < LENGTH; i++) row[i] = 2 + (int)random_below(r, WORDS - 2);
        size_t first = random_below(r, LENGTH), second = random_below(r, LENGTH - 1);
        if (second >= first) second++;
        row[first] = 0, row[second] = 1;
        answers[b] = first < second;
    }
}

static void mean_backward(const TapeNode *node) {
    Tensor *x = node->inputs[0];
    size_t length = x->shape[1], dim = x->shape[2];
    for (size_t i = 0; i < tensor_size(x); i++) {
        x->grad[i] += node->out->grad[i / (length * dim) * dim + i % dim] / (float)length;
    }
}

/* x [B, T, C] -> [B, C], the mean over T. */
static Tensor *mean_over_words(Tape *t, Tensor *x) {
    size_t length = x->shape[1], dim = x->shape[2];
    Tensor *out = tape_output(t, "mean", 2, (size_t[]){x->shape[0], dim}, TAPE_INPUTS(x));
    memset(out->data, 0, tensor_size(out) * sizeof(float));
    for (size_t i = 0; i < tensor_size(x); i++) {
        out->data[i / (length * dim) * dim + i % dim] += x->data[i] / (float)length;
    }
    tape_record(t, out, mean_backward);
    return out;
}

//> order_model
static Tensor *logits(Tape *t, const Model *m, const int *tokens, size_t batch) {
    Tensor *x = embedding(t, m->wte, tokens, 2, (size_t[]){batch, LENGTH}, NO_PADDING);
    if (m->wpe) x = tape_add(t, x, positions(t, m->wpe, NULL, batch, LENGTH));
    Tensor *h = relu(t, linear(t, &m->hidden, x));
    return linear(t, &m->head, mean_over_words(t, h));
}
//< order_model

static double measure(Tape *t, const Model *m, uint64_t seed) {
    static int tokens[TEST_BATCH * LENGTH], answers[TEST_BATCH];
    Random r = random_stream(seed, STREAM_TEST);
    sentences(tokens, answers, TEST_BATCH, &r);
    tape_reset(t);
    return accuracy(logits(t, m, tokens, TEST_BATCH), answers);
}

size_t order_train(double *accuracy, OrderPositions kind, size_t steps, uint64_t seed) {
    int tokens[BATCH * LENGTH], answers[BATCH];
    Model m = model_create(kind, seed);
    AdamW optimizer = adamw_create(&m.params, 3e-3f, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    size_t n = 0;
    for (size_t step = 0; step <= steps; step++) {
        if (step % ORDER_EVERY == 0) accuracy[n++] = measure(&t, &m, seed);
        sentences(tokens, answers, BATCH, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        tape_backward(&t, cross_entropy(&t, logits(&t, &m, tokens, BATCH), answers));
        adamw_step(&optimizer, &m.params);
    }
    adamw_free(&optimizer);
    params_free(&m.params);
    params_free(&m.fixed);
    tape_free(&t);
    return n;
}
