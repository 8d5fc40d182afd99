/* Results of mistakes in stages 3 to 6 of exercise 17/gpt2, and how logits are compared
 * with them. */
#ifndef TESTS_17_STAGES_H
#define TESTS_17_STAGES_H

#include "directory.h"
#include "plain.h"

/* `got` [n, V] against what the model m gives for ids [n], and against the mistakes of
 * a stage. */
#define CHECK_LOGITS(got, m, ids, n, stage)                                            \
    do {                                                                               \
        AXES({"position", "n", n}, {"token", "vocab_size", (m)->V});                   \
        know_shape(logits_name, "position token");                                     \
        CHECK_CLOSE(logits_name, got, plain_logits(m, ids, n, RIGHT), (n) * (m)->V,    \
                    2e-5, stage(m, ids, n));                                           \
    } while (0)

#define EMBEDDING_MISTAKES(m, ids, n)                                                  \
    {"no positions are added (wpe)", plain_logits(m, ids, n, NO_POSITIONS)},           \
        {"every token is at position 0: the position is not offset by what the cache " \
         "holds",                                                                      \
         plain_logits(m, ids, n, POSITION_0)},                                         \
        {"positions are counted from 1", plain_logits(m, ids, n, POSITION_FROM_1)},    \
        {"the last norm, ln_f, is missing", plain_logits(m, ids, n, NO_LN_F)},         \
        {"LayerNorm lacks its gain", plain_logits(m, ids, n, NO_GAIN)},                \
        {"LayerNorm lacks its bias", plain_logits(m, ids, n, NO_BIAS)},                \
        {"LayerNorm does not take off the mean", plain_logits(m, ids, n, NO_MEAN)},    \
        {"LayerNorm divides the variance by n - 1",                                    \
         plain_logits(m, ids, n, UNBIASED)},                                           \
        {"eps is added outside of the root", plain_logits(m, ids, n, EPS_OUTSIDE)},    \
        {"eps is 1e-5, and not the config's layer_norm_epsilon",                       \
         plain_logits(m, ids, n, EPS_DEFAULT)},                                        \
        {"eps is missing", plain_logits(m, ids, n, EPS_MISSING)},                      \
        {"LayerNorm divides by the variance, not by its root",                         \
         plain_logits(m, ids, n, NOT_ROOTED)},                                         \
    {                                                                                  \
        "the head is wpe: it is wte, tied", plain_logits(m, ids, n, HEAD_OF_WPE)       \
    }

#define BLOCK_MISTAKES(m, ids, n)                                                      \
    {"ln_1 is missing", plain_logits(m, ids, n, NO_LN_1)},                             \
        {"ln_2 is missing", plain_logits(m, ids, n, NO_LN_2)},                         \
        {"ln_1 and ln_2 are swapped", plain_logits(m, ids, n, LN_SWAPPED)},            \
        {"the norms stand behind the branches: GPT-2's stand before them",             \
         plain_logits(m, ids, n, POST_LN)},                                            \
        {"what attention gives replaces x: it is added",                               \
         plain_logits(m, ids, n, NO_ATTENTION_RESIDUAL)},                              \
        {"what the MLP gives replaces x: it is added",                                 \
         plain_logits(m, ids, n, NO_MLP_RESIDUAL)},                                    \
        {"what attention gives is not added", plain_logits(m, ids, n, NO_ATTENTION)},  \
        {"what the MLP gives is not added", plain_logits(m, ids, n, NO_MLP)},          \
        {"the MLP reads x as it was before attention",                                 \
         plain_logits(m, ids, n, PARALLEL)},                                           \
        {"GELU is the exact one, with erf: gelu_new is with tanh",                     \
         plain_logits(m, ids, n, GELU_ERF)},                                           \
        {"GELU is x sigmoid(1.702 x)", plain_logits(m, ids, n, GELU_SIGMOID)},         \
        {"GELU lacks 0.044715 x^3", plain_logits(m, ids, n, GELU_NO_CUBE)},            \
        {"GELU lacks its factor 1/2", plain_logits(m, ids, n, GELU_NO_HALF)},          \
        {"GELU has sqrt(2 pi) in the place of sqrt(2 / pi)",                           \
         plain_logits(m, ids, n, GELU_CONSTANT)},                                      \
        {"GELU is a ReLU", plain_logits(m, ids, n, RELU)},                             \
        {"there is no GELU", plain_logits(m, ids, n, NO_GELU)},                        \
        {"c_attn lacks its bias", plain_logits(m, ids, n, NO_ATTN_BIAS)},              \
        {"attn.c_proj lacks its bias", plain_logits(m, ids, n, NO_PROJ_BIAS)},         \
        {"c_fc lacks its bias", plain_logits(m, ids, n, NO_FC_BIAS)},                  \
        {"mlp.c_proj lacks its bias", plain_logits(m, ids, n, NO_OUT_BIAS)},           \
        {"the four linear layers lack their biases",                                   \
         plain_logits(m, ids, n, NO_BIASES)},                                          \
        {"attn.c_proj is missing", plain_logits(m, ids, n, NO_PROJ)},                  \
        {"all four matrices are read as [out, in]: Hugging Face's GPT-2 stores [in, "  \
         "out], as Conv1D does",                                                       \
         plain_logits(m, ids, n, ALL_TRANSPOSED)},                                     \
        {"c_attn is read as [out, in]: Hugging Face's GPT-2 stores [in, out]",         \
         plain_logits(m, ids, n, ATTN_TRANSPOSED)},                                    \
        {"attn.c_proj is read as [out, in]: Hugging Face's GPT-2 stores [in, out]",    \
         plain_logits(m, ids, n, PROJ_TRANSPOSED)},                                    \
        {"c_fc is read as [out, in]: Hugging Face's GPT-2 stores [in, out]",           \
         plain_logits(m, ids, n, FC_TRANSPOSED)},                                      \
        {"mlp.c_proj is read as [out, in]: Hugging Face's GPT-2 stores [in, out]",     \
         plain_logits(m, ids, n, OUT_TRANSPOSED)},                                     \
        {"the parts of c_attn are taken as key, query, value: they are query, key, "   \
         "value",                                                                      \
         plain_logits(m, ids, n, ORDER_KQV)},                                          \
        {"the parts of c_attn are taken as query, value, key: they are query, key, "   \
         "value",                                                                      \
         plain_logits(m, ids, n, ORDER_QVK)},                                          \
        {"the parts of c_attn are taken as value, key, query: they are query, key, "   \
         "value",                                                                      \
         plain_logits(m, ids, n, ORDER_VKQ)},                                          \
    {                                                                                  \
        "c_attn is read head by head: it is all queries, all keys, all values",        \
            plain_logits(m, ids, n, ORDER_BY_HEAD)                                     \
    }

#define ATTENTION_MISTAKES(m, ids, n)                                                  \
    {"scores are not divided by sqrt(D / H)", plain_logits(m, ids, n, NO_SCALE)},      \
        {"scores are divided by D / H, not by its root",                               \
         plain_logits(m, ids, n, SCALE_BY_D)},                                         \
        {"scores are divided by sqrt(D): a head has D / H features",                   \
         plain_logits(m, ids, n, SCALE_BY_WIDTH)},                                     \
        {"the softmax is over the whole cache, also over rows that no token has "      \
         "written yet",                                                                \
         plain_logits(m, ids, n, WHOLE_CACHE)},                                        \
        {"a token does not see itself", plain_logits(m, ids, n, NOT_ITSELF)},          \
        {"a token sees itself alone", plain_logits(m, ids, n, ITSELF_ONLY)},           \
        {"all features are one head", plain_logits(m, ids, n, ONE_HEAD)},              \
        {"a head has every H-th feature: it has D / H in a row",                       \
         plain_logits(m, ids, n, HEADS_INTERLEAVED)},                                  \
        {"the weights are not divided by their sum",                                   \
         plain_logits(m, ids, n, NOT_NORMALIZED)},                                     \
        {"keys are mixed in the place of values",                                      \
         plain_logits(m, ids, n, VALUES_OF_KEYS)},                                     \
        {"every token is at position 0: the position is not offset by what the cache " \
         "holds",                                                                      \
         plain_logits(m, ids, n, POSITION_0)},                                         \
        {"the parts of c_attn are taken as key, query, value: they are query, key, "   \
         "value",                                                                      \
         plain_logits(m, ids, n, ORDER_KQV)},                                          \
    {                                                                                  \
        "only the first two tokens are seen", plain_logits(m, ids, n, FIRST_TWO_ONLY)  \
    }

#define LAYER_MISTAKES(m, ids, n)                                                      \
    {"all layers share one cache of keys and values: each has its own",                \
     plain_logits(m, ids, n, ONE_CACHE)},                                              \
        {"only the first layer runs", plain_logits(m, ids, n, FIRST_LAYER_ONLY)},      \
        {"the last layer does not run", plain_logits(m, ids, n, LAST_LAYER_MISSING)},  \
        {"all layers have the weights of the first",                                   \
         plain_logits(m, ids, n, ALL_LAYERS_THE_FIRST)},                               \
    {                                                                                  \
        "the softmax is over the whole cache, also over rows that no token has "       \
        "written yet",                                                                 \
            plain_logits(m, ids, n, WHOLE_CACHE)                                       \
    }

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
        char from[80], *bytes = checked_alloc(1 << 20, 1);
        snprintf(from, sizeof from, "tiny_gpt2/%s", names[i][0]);
        FILE *file = fopen(golden_path(from), "rb");
        CHECK(file, "%s is missing", from);
        size_t n = fread(bytes, 1, 1 << 20, file);
        fclose(file);
        tiny_file(directory, names[i][1], bytes, n);
    }
    return directory;
}

#endif
