/* What each part of the block is good for: see variants.h. */
#include "08-transformer-block/experiments/variants.h"

#include <stdio.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "05-residual-blocks/residual_init.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/positions.h"
#include "fmath.h"

enum { STREAM_INIT = 1, STREAM_DATA };
enum { DIGITS = 8, LENGTH = 12, BATCH = 32, D_MODEL = 32, N_HEAD = 2, N_LAYER = 2 };

double ablation_guess(void) {
    return log_double(DIGITS);
}

size_t ablation_steps_to(const double *losses, size_t n, double bound) {
    enum { WINDOW = 20 };
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += losses[i] - (i >= WINDOW ? losses[i - WINDOW] : 0);
        if (i + 1 >= WINDOW && sum / WINDOW < bound) return i + 1;
    }
    return n;
}

size_t ablation_variants(const Variant **variants) {
    enum { MAX = 10 };
    static Variant all[MAX];
    size_t n = 0;
    BlockConfig full = block_config_gpt2(D_MODEL, N_HEAD), c;
    full.has_bias = false; /* so that a sublayer whose weights are 0 stays 0 */
    full.d_ff = 96;
    all[n++] = (Variant){.name = "full", .config = full};
    all[n++] = (Variant){.name = "no attention", .config = full, .no_attention = true};
    all[n++] = (Variant){.name = "no FFN", .config = full, .no_ffn = true};
    c = full, c.residual = RESIDUAL_NONE;
    all[n++] = (Variant){.name = "no residual", .config = c};
    c = full, c.norm = NORM_NONE;
    all[n++] = (Variant){.name = "no norm", .config = c};
    c = full, c.norm = NORM_RMS;
    all[n++] = (Variant){.name = "RMSNorm", .config = c};
    c = full, c.placement = POST_LN;
    all[n++] = (Variant){.name = "post-LN", .config = c};
    c = full, c.ffn = FFN_RELU;
    all[n++] = (Variant){.name = "ReLU", .config = c};
    c = full, c.ffn = FFN_SWIGLU, c.d_ff = ffn_gated_width(full.d_ff);
    all[n++] = (Variant){.name = "SwiGLU", .config = c};
    c.norm = NORM_RMS;
    all[n++] = (Variant){.name = "RMSNorm + SwiGLU", .config = c};
    *variants = all;
    return n;
}

typedef struct {
    const Variant *variant;
    Params params;
    Tensor *wte, *wpe;
    Block blocks[N_LAYER];
    Norm ln_f;
    Linear head;
} Model;

static Model model_create(const Variant *variant, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    const float std = 0.15f; /* about 1 / sqrt(D_MODEL) */
    Model m = {.variant = variant, .params = {.mode = PARAMS_TRAIN}};
    m.wte = params_add(&m.params, 2, (size_t[]){DIGITS, D_MODEL}, "wte.weight");
    m.wpe = params_add(&m.params, 2, (size_t[]){LENGTH, D_MODEL}, "wpe.weight");
    random_fill_normal(&init, m.wte->data, DIGITS * D_MODEL, 1.0f);
    random_fill_normal(&init, m.wpe->data, LENGTH * D_MODEL, 1.0f);
    for (size_t l = 0; l < N_LAYER; l++) {
        params_push(&m.params, "h.%zu", l);
        m.blocks[l] =
            block_create(&m.params, &init, &variant->config, std, residual_init_std(std, N_LAYER), "");
        params_pop(&m.params);
        Tensor *down = m.blocks[l].mlp.down.weight, *up = m.blocks[l].mlp.up.weight;
        if (!variant->no_ffn) continue;
        memset(down->data, 0, tensor_size(down) * sizeof(float));
        memset(up->data, 0, tensor_size(up) * sizeof(float));
    }
    m.ln_f = norm_create(&m.params, NORM_LAYER, D_MODEL, 1e-5f, "ln_f");
    m.head = linear_create(&m.params, &init, D_MODEL, DIGITS, false, std, "lm_head");
    return m;
}

static Tensor *zeros(Tape *t, const void *self, Tensor *x) {
    (void)self;
    Tensor *y = tape_tensor(t, x->ndim, x->shape, false);
    memset(y->data, 0, tensor_size(y) * sizeof(float));
    return y;
}

static Tensor *logits(Tape *t, const Model *m, const int *tokens) {
    Tensor *x = embedding(t, m->wte, tokens, 2, (size_t[]){BATCH, LENGTH}, NO_PADDING);
    x = tape_add(t, x, positions(t, m->wpe, NULL, BATCH, LENGTH));
    //> stack
    for (size_t l = 0; l < N_LAYER; l++) {
        const Block *b = &m->blocks[l];
        x = block_forward(t, b, m->variant->no_attention ? (Layer){zeros, NULL} : attention_layer(&b->attn),
                          x);
    }
    //< stack
    return linear(t, &m->head, norm(t, &m->ln_f, x));
}

static void sentences(int *tokens, int *targets, Random *r) {
    for (size_t i = 0; i < BATCH * LENGTH; i++) {
        tokens[i] = (int)random_below(r, DIGITS);
        targets[i] = i % LENGTH == 0 ? IGNORE_TARGET : (tokens[i] + tokens[i - 1]) % DIGITS;
    }
}

void ablation_train(double *losses, const Variant *variant, size_t steps, uint64_t seed) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Model m = model_create(variant, seed);
    AdamW optimizer = adamw_create(&m.params, 3e-3f, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step < steps; step++) {
        sentences(tokens, targets, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        Tensor *loss = cross_entropy(&t, logits(&t, &m, tokens), targets);
        losses[step] = (double)loss->data[0];
        tape_backward(&t, loss);
        adamw_step(&optimizer, &m.params);
    }
    adamw_free(&optimizer);
    for (size_t l = 0; l < N_LAYER; l++) block_free(&m.blocks[l]);
    norm_free(&m.ln_f);
    params_free(&m.params);
    tape_free(&t);
}
