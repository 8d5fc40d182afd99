/* The value of each part of the block: see variants.h. */
#include "08-transformer-block/experiments/variants.h"

#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "05-residual-blocks/residual_init.h"
#include "base/error.h"
#include "math/fmath.h"

enum { STREAM_INIT = 1, STREAM_DATA };
enum { D_MODEL = 32, N_HEAD = 2 };

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
    static Variant all[MAX_VARIANTS];
    size_t n = 0;
    BlockConfig full = block_config_gpt2(D_MODEL, N_HEAD), c;
    block_set_biases(&full, false); /* so that a sublayer whose weights are 0 stays 0 */
    full.d_ff = 96;
    all[n++] = (Variant){.name = "full", .config = full};
    all[n++] = (Variant){.name = "no attention", .config = full, .no_attention = true};
    all[n++] = (Variant){.name = "no FFN", .config = full, .no_ffn = true};
    c = full;
    c.residual = RESIDUAL_NONE;
    all[n++] = (Variant){.name = "no residual", .config = c};
    c = full;
    c.norm = NORM_NONE;
    all[n++] = (Variant){.name = "no norm", .config = c};
    c.residual = RESIDUAL_REZERO;
    all[n++] = (Variant){.name = "ReZero without norm", .config = c};
    c = full;
    c.placement = POST_LN;
    all[n++] = (Variant){.name = "post-LN", .config = c};
    c = full;
    c.norm = NORM_BATCH;
    all[n++] = (Variant){.name = "BatchNorm", .config = c};
    c = full;
    c.norm = NORM_RMS;
    all[n++] = (Variant){.name = "RMSNorm", .config = c};
    c = full;
    c.ffn = FFN_RELU;
    all[n++] = (Variant){.name = "ReLU", .config = c};
    c = full;
    c.ffn = FFN_SWIGLU;
    c.d_ff = ffn_gated_width(full.d_ff);
    all[n++] = (Variant){.name = "SwiGLU", .config = c};
    c.norm = NORM_RMS;
    all[n++] = (Variant){.name = "RMSNorm + SwiGLU", .config = c};
    c = full;
    block_set_biases(&c, true);
    all[n++] = (Variant){.name = "biases", .config = c};
    c = full;
    c.resid_dropout = c.attn_dropout = 0.1f;
    all[n++] = (Variant){.name = "dropout", .config = c};
    *variants = all;
    return n;
}

const Variant *ablation_variant(const char *name) {
    const Variant *all;
    size_t n = ablation_variants(&all);
    for (size_t v = 0; v < n; v++) {
        if (strcmp(all[v].name, name) == 0) return &all[v];
    }
    die("no variant '%s'", name);
}

/* A sublayer whose weights are 0 gives 0, and its gradients stay 0. */
static void silence(const Ffn *f) {
    memset(f->up.weight->data, 0, tensor_size(f->up.weight) * sizeof(float));
    memset(f->down.weight->data, 0, tensor_size(f->down.weight) * sizeof(float));
}

static SmallModel model_create(const Variant *variant, const AblationRun *run) {
    Random init = random_stream(run->seed, STREAM_INIT);
    SmallModelConfig config = {.block = variant->config,
                               .n_layer = run->n_layer,
                               .n_tokens = DIGITS,
                               .length = DIGITS_LENGTH,
                               .std = 0.15f}; /* about 1 / sqrt(D_MODEL) */
    config.std_residual =
        run->scaled_init ? residual_init_std(config.std, run->n_layer) : config.std;
    SmallModel m = small_model_create(&config, &init);
    for (size_t l = 0; variant->no_ffn && l < run->n_layer; l++)
        silence(&m.blocks[l].mlp);
    return m;
}

static Tensor *zeros(Tape *t, const void *self, Tensor *x) {
    (void)self;
    Tensor *y = tape_tensor(t, x->ndim, x->shape, false);
    memset(y->data, 0, tensor_size(y) * sizeof(float));
    return y;
}

void digits_draw(int *tokens, int *targets, Random *r) {
    for (size_t i = 0; i < DIGITS_BATCH * DIGITS_LENGTH; i++) {
        tokens[i] = (int)random_below(r, DIGITS);
        targets[i] = i % DIGITS_LENGTH == 0 ? IGNORE_TARGET
                                            : (tokens[i] + tokens[i - 1]) % DIGITS;
    }
}

size_t ablation_train(double *losses, const Variant *variant, const AblationRun *run) {
    int tokens[DIGITS_BATCH * DIGITS_LENGTH], targets[DIGITS_BATCH * DIGITS_LENGTH];
    SmallModel m = model_create(variant, run);
    const Layer nothing = {zeros, NULL},
                *instead = variant->no_attention ? &nothing : NULL;
    AdamW optimizer = adamw_create(&m.params, 3e-3f, 0);
    Random data = random_stream(run->seed, STREAM_DATA);
    Tape t = tape_create(run->seed);
    size_t step = 0;
    for (bool solved = false; step < run->steps && !solved; step++) {
        digits_draw(tokens, targets, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        Tensor *loss = cross_entropy(
            &t, small_model_logits(&t, &m, tokens, DIGITS_BATCH, instead), targets);
        losses[step] = (double)loss->data[0];
        tape_backward(&t, loss);
        adamw_step(&optimizer, &m.params);
        solved =
            run->until_solved && ablation_steps_to(losses, step + 1, SOLVED) < step + 1;
    }
    adamw_free(&optimizer);
    small_model_free(&m);
    tape_free(&t);
    return step;
}
