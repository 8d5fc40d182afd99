/* Tests of exercise 08/block_forward: PyTorch's numbers and gradients for six kinds of
 * block, dropout at its two places, and the attention that is handed in. */
#include "08-transformer-block/block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

enum { B = 2, T = 5, C = 8, FF = 20, SIZE = B * T * C };

/* --- a block put together by hand, right and wrong ------------------------ */

typedef enum {
    RIGHT,
    OTHER_PLACEMENT, /* post-LN for pre-LN and the other way round */
    FFN_FIRST,
    ONE_NORM, /* ln_1 in both places */
    NORMS_EXCHANGED,
    NO_LN_1,
    NO_LN_2,
    NO_FIRST_SUM, /* attention without a residual connection */
    NO_SECOND_SUM,
    PARALLEL, /* both sublayers read the block's input */
    NO_ATTENTION,
    NO_FFN,
    FFN_TWICE,
    ATTENTION_TWICE,
} Variation;

static const double *by_hand(const Block *b, Tensor *x, Variation v) {
    Tape t = tape_for_inference();
    bool pre = (b->config.placement == PRE_LN) != (v == OTHER_PLACEMENT);
    Layer layers[2] = {attention_layer(&b->attn), ffn_layer(&b->mlp)};
    if (v == FFN_TWICE) layers[0] = layers[1];
    if (v == ATTENTION_TWICE) layers[1] = layers[0];
    const Norm *norms[2] = {&b->ln_1, v == ONE_NORM ? &b->ln_1 : &b->ln_2};
    if (v == NORMS_EXCHANGED) {
        norms[0] = &b->ln_2;
        norms[1] = &b->ln_1;
    }
    if (v == FFN_FIRST) {
        layers[0] = ffn_layer(&b->mlp);
        layers[1] = attention_layer(&b->attn);
        norms[0] = &b->ln_2;
        norms[1] = &b->ln_1;
    }
    Layer norm_of[2] = {norm_layer(norms[0]), norm_layer(norms[1])};
    if (v == NO_LN_1) norm_of[0] = (Layer){0};
    if (v == NO_LN_2) norm_of[1] = (Layer){0};
    Tensor *stream = x, *input = x;
    for (int i = 0; i < 2; i++) {
        if ((v == NO_ATTENTION && i == 0) || (v == NO_FFN && i == 1)) continue;
        bool alone = (v == NO_FIRST_SUM && i == 0) || (v == NO_SECOND_SUM && i == 1);
        Tensor *from = v == PARALLEL ? input : stream;
        Tensor *branch = layer_forward(
            &t, layers[i], pre ? layer_forward(&t, norm_of[i], from) : from);
        stream = alone ? branch : tape_add(&t, stream, branch);
        if (!pre) stream = layer_forward(&t, norm_of[i], stream);
    }
    return as_double(stream->data, SIZE);
}

/* --- PyTorch's blocks ----------------------------------------------------- */

/* weight [in, out] = PyTorch's [out, in], the other way round; anything else as it
 * is. */
static double *transposed(const Tensor *parameter, const double *torch) {
    size_t n = tensor_size(parameter), n_out = tensor_cols(parameter), n_in = n / n_out;
    double *out = checked_alloc(n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = parameter->ndim == 2 ? torch[i % n_out * n_in + i / n_out] : torch[i];
    return out;
}

/* Our names and PyTorch's; a name that a kind of block does not have is skipped. */
static const char *const names[][2] = {
    {"h.attn.c_attn.weight", "w_qkv"}, {"h.attn.c_attn.bias", "b_qkv"},
    {"h.attn.c_proj.weight", "w_o"},   {"h.attn.c_proj.bias", "b_o"},
    {"h.mlp.c_fc.weight", "w1"},       {"h.mlp.c_fc.bias", "b1"},
    {"h.mlp.c_proj.weight", "w2"},     {"h.mlp.c_proj.bias", "b2"},
    {"h.mlp.c_fc.weight", "w_up"},     {"h.mlp.c_gate.weight", "w_gate"},
    {"h.mlp.c_proj.weight", "w_down"}, {"h.ln_1.weight", "ln1_w"},
    {"h.ln_1.bias", "ln1_b"},          {"h.ln_2.weight", "ln2_w"},
    {"h.ln_2.bias", "ln2_b"},          {"h.ln_1.weight", "n1_w"},
    {"h.ln_2.weight", "n2_w"},         {"h.join_1.alpha", "alpha1"},
    {"h.join_2.alpha", "alpha2"},
};
enum { N_NAMES = sizeof names / sizeof *names };

static Block golden_block(Params *params, const char *name, BlockConfig config) {
    Block b = block_create(params, NULL, &config, 0, 0, "h");
    size_t loaded = 0;
    for (size_t i = 0; i < N_NAMES; i++) {
        Tensor *p = params_find(params, names[i][0]);
        if (!p || !golden_has("block", name, names[i][1])) continue;
        const double *values = transposed(p, golden("block", name, names[i][1], NULL));
        for (size_t k = 0; k < tensor_size(p); k++) p->data[k] = (float)values[k];
        loaded++;
    }
    /* PyTorch's gated FFN has no biases: ours stay 0 */
    size_t left_zero = config.ffn == FFN_SWIGLU ? 3 : 0;
    CHECK(loaded + left_zero == params->n, "%s: %zu of %zu parameters loaded", name,
          loaded, params->n);
    return b;
}

static BlockConfig config_of(const char *name) {
    BlockConfig c = block_config_gpt2(C, 2);
    c.d_ff = FF;
    if (strcmp(name, "preln") != 0) c.ffn = FFN_RELU;
    if (strcmp(name, "postln") == 0) c.placement = POST_LN;
    if (strncmp(name, "rezero", 6) == 0) {
        c.residual = RESIDUAL_REZERO;
        c.norm = NORM_NONE;
    }
    if (strcmp(name, "rms_swiglu") == 0) {
        c.norm = NORM_RMS;
        c.ffn = FFN_SWIGLU;
        c.norm_eps = 1e-6f;
    }
    return c;
}

/* See known.h. */
static void know_axes(void) {
    AXES({"sample", "batch", B}, {"time", "length", T}, {"feature", "d_model", C},
         {"hidden", "d_ff", FF});
}

static void golden_case(const char *name, bool with_mistakes) {
    Params params = {.mode = PARAMS_TRAIN}, input = {.mode = PARAMS_TRAIN};
    Block b = golden_block(&params, name, config_of(name));
    Tensor *x = params_add(&input, 3, (size_t[]){B, T, C}, "x");
    memcpy(x->data, golden_float("block", name, "x", NULL), SIZE * sizeof(float));
    Tape t = tape_create(1);
    Tensor *y = block_forward(&t, &b, attention_layer(&b.attn), x);
    const double *expected = golden("block", name, "y", NULL);
    know_axes();
    KNOW_AS("x", x->data, "sample time feature");
    if (with_mistakes) {
#define AS(variation) by_hand(&b, x, variation)
        CHECK_CLOSE(name, y->data, expected, SIZE, 1e-5,
                    {"the placement of the config is not used", AS(OTHER_PLACEMENT)},
                    {"the FFN comes before attention", AS(FFN_FIRST)},
                    {"ln_1 is used in both places", AS(ONE_NORM)},
                    {"the first residual connection is missing: only attention's "
                     "output goes on",
                     AS(NO_FIRST_SUM)},
                    {"the second residual connection is missing: only the FFN's output "
                     "comes out",
                     AS(NO_SECOND_SUM)},
                    {"the FFN reads the block's input instead of what the first "
                     "connection made",
                     AS(PARALLEL)},
                    {"ln_1 and ln_2 are exchanged", AS(NORMS_EXCHANGED)},
                    {"ln_1 is left out", AS(NO_LN_1)},
                    {"ln_2 is left out", AS(NO_LN_2)},
                    {"attention is left out", AS(NO_ATTENTION)},
                    {"the FFN is left out", AS(NO_FFN)},
                    {"the FFN runs in attention's place, too: do both connections "
                     "share one struct?",
                     AS(FFN_TWICE)},
                    {"attention runs in the FFN's place, too: do both connections "
                     "share one struct?",
                     AS(ATTENTION_TWICE)});
#undef AS
    } else {
        CHECK_CLOSE(name, y->data, expected, SIZE, 1e-5);
    }
    tape_backward(&t,
                  tape_weighted_sum(&t, y, golden_float("block", name, "dy", NULL)));
    CHECK_CLOSE("dx", x->grad, golden("block", name, "dx", NULL), SIZE, 1e-5);
    for (size_t i = 0; i < N_NAMES; i++) {
        char gradient[20];
        snprintf(gradient, sizeof gradient, "d%s", names[i][1]);
        Tensor *p = params_find(&params, names[i][0]);
        if (!p || !golden_has("block", name, gradient)) continue;
        CHECK_CLOSE(gradient, p->grad,
                    transposed(p, golden("block", name, gradient, NULL)),
                    tensor_size(p), 1e-5);
    }
}

Test(block_forward, pre_ln, .timeout = 10) {
    golden_case("preln", true);
    golden_case("preln_relu", true);
}

Test(block_forward, post_ln, .timeout = 10) {
    golden_case("postln", true);
}

/* No norm at all, and a learned factor in each connection: 0 at first, so that y =
 * x. */
Test(block_forward, rezero, .timeout = 10) {
    golden_case("rezero_init", false);
    golden_case("rezero_later", false);
}

Test(block_forward, rms_swiglu, .timeout = 10) {
    golden_case("rms_swiglu", true);
}

/* --- dropout, and the attention handed in --------------------------------- */

static Tensor *ones(Tape *t, const void *self, Tensor *x) {
    (void)self;
    Tensor *y = tape_tensor(t, x->ndim, x->shape, false);
    for (size_t i = 0; i < tensor_size(y); i++) y->data[i] = 1.0f;
    return y;
}

/* A block whose two sublayers give 1 everywhere, applied to 0: 2 without dropout; with
 * p = 1/2 each sublayer adds 0 or 2, so that y is 0, 2 or 4. */
static const float *of_two_ones(bool training, float resid_dropout,
                                float attn_dropout) {
    static Params params = {.mode = PARAMS_INFER};
    static Tape t;
    BlockConfig config = block_config_gpt2(C, 2);
    config.resid_dropout = resid_dropout;
    config.attn_dropout = attn_dropout;
    params_free(&params);
    Block b = block_create(&params, NULL, &config, 0, 0, "h");
    for (size_t i = 0; i < C; i++) b.mlp.down.bias->data[i] = 1.0f;
    t = tape_create(7);
    t.training = training;
    float zeros[SIZE] = {0};
    return block_forward(&t, &b, (Layer){ones, NULL},
                         tape_input(&t, 3, (size_t[]){B, T, C}, zeros))
        ->data;
}

Test(block_forward, uses_the_attention_handed_in, .timeout = 10) {
    const float *y = of_two_ones(false, 0, 0);
    double expected[SIZE], only_ffn[SIZE];
    for (size_t i = 0; i < SIZE; i++) {
        expected[i] = 2;
        only_ffn[i] = 1;
    }
    CHECK_CLOSE(
        "y", y, expected, SIZE, 1e-6,
        {"the block's own attention runs instead of the layer handed in", only_ffn},
        {"attention is left out", only_ffn});
}

/* With the stream dropped behind each sum, y is 0, 2 or 6: what comes from attention is
 * doubled twice. */
static void count_values(const float *y, size_t counts[5]) {
    memset(counts, 0, 5 * sizeof *counts);
    size_t sixes = 0, fours = 0;
    for (size_t i = 0; i < SIZE; i++) {
        sixes += y[i] == 6;
        fours += y[i] == 4;
    }
    CHECK(!sixes || fours,
          "y is 6 in %zu of %d places, expected 0, 2 or 4: the stream itself is "
          "dropped; drop what a sublayer "
          "gives, in front of the sum",
          sixes, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        CHECK(y[i] == 0 || y[i] == 1 || y[i] == 2 || y[i] == 3 || y[i] == 4,
              "y[%zu] is %g, expected 0, 2 or 4", i, (double)y[i]);
        counts[(int)y[i]]++;
    }
}

Test(block_forward, dropout_on_both_sublayers, .timeout = 10) {
    size_t n[5];
    count_values(of_two_ones(true, 0.5f, 0), n);
    CHECK(n[2] < SIZE, "y is 2 everywhere: nothing is dropped although resid_dropout "
                       "is 0.5 in training");
    CHECK(
        n[1] < SIZE,
        "y is 1 everywhere: one sublayer's output is missing, and nothing is dropped");
    size_t plain[5];
    count_values(of_two_ones(false, 0, 0), plain);
    CHECK(n[1] + n[3] == 0, "y is 1 or 3 in %zu of %d places%s", n[1] + n[3], SIZE,
          plain[2] == SIZE
              ? ": this is what you get when only one of the two sublayers "
                "is dropped"
              : "; without dropout it is not 2, either");
    CHECK(n[0] && n[2] && n[4],
          "y is 0, 2, 4 in %zu, %zu, %zu places: the two sublayers must be dropped "
          "independently",
          n[0], n[2], n[4]);
    CHECK(n[2] > 20 && n[2] < 60, "y is 2 in %zu of %d places, expected about half",
          n[2], SIZE);
}

Test(block_forward, dropout_only_in_training, .timeout = 10) {
    size_t n[5];
    count_values(of_two_ones(false, 0.5f, 0), n);
    CHECK(n[2] == SIZE,
          "outside training nothing is dropped: y is 2 in %zu of %d places", n[2],
          SIZE);
}

/* attn_dropout belongs to the attention weights, inside the attention layer. */
Test(block_forward, attn_dropout_is_not_resid_dropout, .timeout = 10) {
    size_t n[5];
    count_values(of_two_ones(true, 0, 0.5f), n);
    CHECK(n[2] == SIZE,
          "attn_dropout drops a sublayer's output: y is 2 in %zu of %d places", n[2],
          SIZE);
}
