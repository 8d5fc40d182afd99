/* The block's assembly: what it registers under which names, and what it refuses. */
#include "08-transformer-block/block.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"

static void check_names(BlockConfig config, const char *const *expected, size_t n) {
    Params params = {.mode = PARAMS_INFER};
    Random init = random_create(1);
    Block b = block_create(&params, &init, &config, 0.02f, 0.01f, "h.3");
    CHECK(params.n == n, "%zu parameters are registered, expected %zu", params.n, n);
    for (size_t i = 0; i < n; i++)
        CHECK(params_find(&params, expected[i]), "'%s' is not registered", expected[i]);
    block_free(&b);
    params_free(&params);
}

Test(block, registers_hugging_face_names, .timeout = 10) {
    static const char *const gpt2[] = {
        "h.3.ln_1.weight",      "h.3.ln_1.bias",          "h.3.attn.c_attn.weight",
        "h.3.attn.c_attn.bias", "h.3.attn.c_proj.weight", "h.3.attn.c_proj.bias",
        "h.3.ln_2.weight",      "h.3.ln_2.bias",          "h.3.mlp.c_fc.weight",
        "h.3.mlp.c_fc.bias",    "h.3.mlp.c_proj.weight",  "h.3.mlp.c_proj.bias"};
    check_names(block_config_gpt2(12, 3), gpt2, 12);
    static const char *const llama[] = {
        "h.3.ln_1.weight",      "h.3.attn.c_attn.weight", "h.3.attn.c_proj.weight",
        "h.3.ln_2.weight",      "h.3.mlp.c_fc.weight",    "h.3.mlp.c_gate.weight",
        "h.3.mlp.c_proj.weight"};
    BlockConfig c = block_config_gpt2(12, 3);
    c.norm = NORM_RMS;
    c.ffn = FFN_SWIGLU;
    block_set_biases(&c, false);
    check_names(c, llama, 7);
}

/* The two matrices that write to the stream have a deviation of their own. */
Test(block, residual_projections_start_smaller, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    Random init = random_create(2);
    BlockConfig config = block_config_gpt2(64, 4);
    Block b = block_create(&params, &init, &config, 0.02f, 0.005f, "h.0");
    const Tensor *weights[] = {b.attn.c_attn.weight, b.attn.c_proj.weight,
                               b.mlp.up.weight, b.mlp.down.weight};
    static const double expected[] = {0.02, 0.005, 0.02, 0.005};
    for (size_t i = 0; i < 4; i++) {
        double sum = 0;
        size_t n = tensor_size(weights[i]);
        for (size_t k = 0; k < n; k++)
            sum += (double)weights[i]->data[k] * (double)weights[i]->data[k];
        double std = sqrt(sum / (double)n);
        CHECK(fabs(std / expected[i] - 1) < 0.05,
              "weight %zu: deviation %g, expected %g", i, std, expected[i]);
    }
}

/* How attention is computed is a choice of the run: the same parameters, the same
 * output within 1e-6, and the description of a plain one is what it was. */
Test(block, attention_kind_is_no_part_of_the_model, .timeout = 10) {
    enum { T = 7, C = 12 };
    float *x = normal_floats(T * C, 1, 4);
    double *plain = NULL;
    char text[CONFIG_TEXT_BYTES] = "", online[CONFIG_TEXT_BYTES] = "";
    BlockConfig config = block_config_gpt2(C, 3);
    block_config_text(text, &config);
    CHECK(!strstr(text, "attention"), "a plain block is described as '%s'", text);
    for (config.attention = ATTENTION_PLAIN; config.attention <= ATTENTION_ONLINE;
         config.attention++) {
        Params params = {.mode = PARAMS_INFER};
        Random init = random_create(3);
        Block b = block_create(&params, &init, &config, 0.4f, 0.4f, "h");
        Tape t = tape_for_inference();
        const Tensor *y = block_forward(&t, &b, attention_layer(&b.attn),
                                        tape_input(&t, 3, (size_t[]){1, T, C}, x));
        if (!plain) plain = as_double(y->data, T * C);
        CHECK_CLOSE("y", y->data, plain, T * C, 1e-6);
    }
    config.attention = ATTENTION_ONLINE;
    block_config_text(online, &config);
    CHECK(strstr(online, " attention online"), "an online block is described as '%s'",
          online);
}

/* Gradients of every kind of norm, placement and FFN by central differences of the
 * block itself. The differences are taken in float, so that only a gross mistake shows;
 * the exact comparison is in block_forward.c. */
enum { N = 24 };

typedef struct {
    Block *block;
    Tensor *x;
} WithInput;

static Tensor *run(Tape *t, void *context) {
    const WithInput *c = context;
    return block_forward(t, c->block, attention_layer(&c->block->attn), c->x);
}

static void output_in_float(double *out, const double *const *in, void *context) {
    Tape t = tape_create(1);
    t.recording = false;
    Tensor *input = tape_tensor(&t, 3, (size_t[]){1, 4, 6}, false);
    for (size_t i = 0; i < N; i++) input->data[i] = (float)in[0][i];
    Tensor *y = run(&t, &(WithInput){((const WithInput *)context)->block, input});
    for (size_t i = 0; i < N; i++) out[i] = (double)y->data[i];
    tape_free(&t);
}

static void check_gradient(BlockConfig config, const char *what) {
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_create(3);
    Block b = block_create(&params, &init, &config, 0.4f, 0.4f, "h");
    WithInput c = {&b, params_add(&params, 3, (size_t[]){1, 4, 6}, "x")};
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = output_in_float,
        .context = &c,
        .of = {{what, c.x}},
        .step = 5e-3,
        .tolerance = 5e-3,
    });
}

Test(block, gradients_of_the_switches, .timeout = 10) {
    BlockConfig c = block_config_gpt2(6, 2);
    check_gradient(c, "dx, GPT-2");
    c.causal = false;
    check_gradient(c, "dx, not causal");
    c.norm = NORM_RMS;
    c.ffn = FFN_GEGLU;
    check_gradient(c, "dx, RMSNorm and GEGLU");
    c.placement = POST_LN;
    check_gradient(c, "dx, the same post-LN");
    c.residual = RESIDUAL_ADMIN;
    check_gradient(c, "dx, Admin");
    c.residual = RESIDUAL_NONE;
    check_gradient(c, "dx, no residual connection");
}

static void heads_that_do_not_divide(void *argument) {
    (void)argument;
    Params params = {.mode = PARAMS_INFER};
    BlockConfig config = block_config_gpt2(10, 3);
    block_create(&params, NULL, &config, 0, 0, "h.0");
}

Test(block, refuses_heads_that_do_not_divide, .timeout = 10) {
    expect_exit(EXIT_INPUT, "d_model 10 is not a multiple of n_head 3",
                heads_that_do_not_divide, NULL);
}
