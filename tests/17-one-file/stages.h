/* Results of mistakes in stages 3 to 6 of exercise 17/gpt2, and how logits are compared
 * with them. */
#ifndef TESTS_17_STAGES_H
#define TESTS_17_STAGES_H

#include "directory.h"
#include "files/file.h"
#include "plain.h"

/* Mistakes of a stage, in words that end "this is what you get when". */
typedef struct {
    Variation variation;
    const char *when;
} Named;

static const Named embedding_mistakes[] = {
    {NO_POSITIONS, "no positions are added (wpe)"},
    {POSITION_0, "every token is at position 0: the position is not offset by what the "
                 "cache holds"},
    {POSITION_FROM_1, "positions are counted from 1"},
    {NO_LN_F, "the last norm, ln_f, is missing"},
    {NO_GAIN, "LayerNorm lacks its gain"},
    {NO_BIAS, "LayerNorm lacks its bias"},
    {NO_MEAN, "LayerNorm does not take off the mean"},
    {UNBIASED, "LayerNorm divides the variance by n - 1"},
    {EPS_OUTSIDE, "eps is added outside of the root"},
    {EPS_DEFAULT, "eps is 1e-5, and not the config's layer_norm_epsilon"},
    {EPS_MISSING, "eps is missing"},
    {NOT_ROOTED, "LayerNorm divides by the variance, not by its root"},
    {HEAD_OF_WPE, "the head is wpe: it is wte, tied"}};

static const Named block_mistakes[] = {
    {NO_LN_1, "ln_1 is missing"},
    {NO_LN_2, "ln_2 is missing"},
    {LN_SWAPPED, "ln_1 and ln_2 are swapped"},
    {POST_LN, "the norms stand behind the branches: GPT-2's stand before them"},
    {NO_ATTENTION_RESIDUAL, "what attention gives replaces x: it is added"},
    {NO_MLP_RESIDUAL, "what the MLP gives replaces x: it is added"},
    {NO_ATTENTION, "what attention gives is not added"},
    {NO_MLP, "what the MLP gives is not added"},
    {PARALLEL, "the MLP reads x as it was before attention"},
    {GELU_ERF, "GELU is the exact one, with erf: gelu_new is with tanh"},
    {GELU_SIGMOID, "GELU is x sigmoid(1.702 x)"},
    {GELU_NO_CUBE, "GELU lacks 0.044715 x^3"},
    {GELU_NO_HALF, "GELU lacks its factor 1/2"},
    {GELU_CONSTANT, "GELU has sqrt(2 pi) in the place of sqrt(2 / pi)"},
    {RELU, "GELU is a ReLU"},
    {NO_GELU, "there is no GELU"},
    {NO_ATTN_BIAS, "c_attn lacks its bias"},
    {NO_PROJ_BIAS, "attn.c_proj lacks its bias"},
    {NO_FC_BIAS, "c_fc lacks its bias"},
    {NO_OUT_BIAS, "mlp.c_proj lacks its bias"},
    {NO_BIASES, "the four linear layers lack their biases"},
    {NO_PROJ, "attn.c_proj is missing"},
    {ALL_TRANSPOSED, "all four matrices are read as [out, in]: Hugging Face's GPT-2 "
                     "stores [in, out], as Conv1D does"},
    {ATTN_TRANSPOSED,
     "c_attn is read as [out, in]: Hugging Face's GPT-2 stores [in, out]"},
    {PROJ_TRANSPOSED,
     "attn.c_proj is read as [out, in]: Hugging Face's GPT-2 stores [in, out]"},
    {FC_TRANSPOSED, "c_fc is read as [out, in]: Hugging Face's GPT-2 stores [in, out]"},
    {OUT_TRANSPOSED,
     "mlp.c_proj is read as [out, in]: Hugging Face's GPT-2 stores [in, out]"},
    {ORDER_KQV,
     "the parts of c_attn are taken as key, query, value: they are query, key, value"},
    {ORDER_QVK,
     "the parts of c_attn are taken as query, value, key: they are query, key, value"},
    {ORDER_VKQ,
     "the parts of c_attn are taken as value, key, query: they are query, key, value"},
    {ORDER_BY_HEAD,
     "c_attn is read head by head: it is all queries, all keys, all values"}};

static const Named attention_mistakes[] = {
    {NO_SCALE, "scores are not divided by sqrt(D / H)"},
    {SCALE_BY_D, "scores are divided by D / H, not by its root"},
    {SCALE_BY_WIDTH, "scores are divided by sqrt(D): a head has D / H features"},
    {WHOLE_CACHE, "the softmax is over the whole cache, also over rows that no token "
                  "has written yet"},
    {NOT_ITSELF, "a token does not see itself"},
    {ITSELF_ONLY, "a token sees itself alone"},
    {ONE_HEAD, "all features are one head"},
    {HEADS_INTERLEAVED, "a head has every H-th feature: it has D / H in a row"},
    {NOT_NORMALIZED, "the weights are not divided by their sum"},
    {VALUES_OF_KEYS, "keys are mixed in the place of values"},
    {POSITION_0, "every token is at position 0: the position is not offset by what the "
                 "cache holds"},
    {ORDER_KQV,
     "the parts of c_attn are taken as key, query, value: they are query, key, value"},
    {FIRST_TWO_ONLY, "only the first two tokens are seen"}};

static const Named layer_mistakes[] = {
    {ONE_CACHE, "all layers share one cache of keys and values: each has its own"},
    {FIRST_LAYER_ONLY, "only the first layer runs"},
    {LAST_LAYER_MISSING, "the last layer does not run"},
    {ALL_LAYERS_THE_FIRST, "all layers have the weights of the first"},
    {WHOLE_CACHE, "the softmax is over the whole cache, also over rows that no token "
                  "has written yet"}};

/* `got` [n, V] against what the model m gives for ids [n], and against the mistakes of
 * a stage. */
static void check_logits(const float *got, const Tiny *m, const int *ids, size_t n,
                         const Named *named, size_t n_named) {
    Mistake mistakes[LAST_VARIATION + 1];
    for (size_t i = 0; i < n_named; i++)
        mistakes[i] =
            (Mistake){named[i].when, plain_logits(m, ids, n, named[i].variation)};
    AXES({"position", "n", n}, {"token", "vocab_size", m->V});
    know_shape(logits_name, "position token");
    const char *message = compare(logits_name, got, plain_logits(m, ids, n, RIGHT),
                                  n * m->V, 2e-5, mistakes, n_named);
    CHECK(message == NULL, "%s", message);
}
#define CHECK_LOGITS(got, m, ids, n, mistakes)                                         \
    check_logits(got, m, ids, n, mistakes, sizeof mistakes / sizeof *mistakes)

/* Compares with PyTorch's numbers of a model with the shapes of GPT-2. */
static void check_golden(const char *directory) {
    const char *family = "tiny_gpt2/golden_f64";
    size_t shape[SAFETENSORS_MAX_NDIM], n_tokens;
    golden_shape(family, NULL, "logits", shape);
    const int *tokens = golden_int(family, NULL, "tokens", &n_tokens);
    const double *right = golden(family, NULL, "logits", NULL);
    Tiny m = {.V = shape[2]};
    for (size_t b = 0; b < shape[0]; b++) {
        float *got = logits_of(directory, &m, tokens + b * (shape[1] + 1), shape[1]);
        AXES({"position", "n", shape[1]}, {"token", "vocab_size", shape[2]});
        CHECK_CLOSE(logits_name, got, right + b * shape[1] * shape[2],
                    shape[1] * shape[2], 2e-5);
    }
}

/* A copy of a golden model's directory: the program writes its logits there. */
static const char *golden_copy(const char *weights) {
    static char directory[80];
    snprintf(directory, sizeof directory, "build/one-file/golden-%s", weights);
    const char *names[][2] = {{"config.json", "config.json"},
                              {weights, "model.safetensors"}};
    for (size_t i = 0; i < 2; i++) {
        char from[80];
        size_t n;
        snprintf(from, sizeof from, "tiny_gpt2/%s", names[i][0]);
        const char *bytes = file_read(golden_path(from), &n);
        tiny_file(directory, names[i][1], bytes, n);
    }
    return directory;
}

#endif
