/* Tests of LLaMA as a configuration: what it counts, its gradients, its cache. */
#include "18-llama/llama.h"

#include <math.h>
#include <string.h>

#include "08-transformer-block/models.h"
#include "13-kv-cache/kv_cache.h"
#include "18-llama/rope.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/layer_gradient.h"

static LlamaShape tiny(size_t n_head, size_t n_kv_head) {
    return (LlamaShape){.n_vocab = 50,
                        .n_ctx = 40,
                        .n_layer = 3,
                        .n_head = n_head,
                        .n_kv_head = n_kv_head,
                        .d_model = 4 * n_head,
                        .d_ff = 20,
                        .rope_base = 100,
                        .eps = 1e-5f};
}

/* The models of chapter 08's table, as they would be made. */
Test(llama, counts_of_published_models, .timeout = 10) {
    size_t n_checked = 0;
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        const ModelShape *m = &known_models[i].shape;
        if (!m->gated_ffn) continue;
        Gpt2Config c = llama_config(&(LlamaShape){.n_vocab = m->n_vocab,
                                                  .n_ctx = 8,
                                                  .n_layer = m->n_layer,
                                                  .n_head = m->n_head,
                                                  .n_kv_head = m->n_kv_head,
                                                  .d_model = m->d_model,
                                                  .d_ff = m->d_ff,
                                                  .rope_base = 10000,
                                                  .eps = 1e-5f,
                                                  .qkv_bias = m->qkv_bias,
                                                  .own_head = !m->tied_head});
        Gpt2 *model = gpt2_create(&c, PARAMS_MAPPED, NULL);
        CHECK(params_count(&model->params) == known_models[i].published,
              "%s has %zu parameters, the published checkpoint %zu", m->name,
              params_count(&model->params), (size_t)known_models[i].published);
        gpt2_free(model);
        n_checked++;
    }
    CHECK(n_checked == 6, "%zu models of the family, expected 6", n_checked);
}

/* Each of the family's choices can be missing. */
Test(llama, what_is_of_the_family, .timeout = 10) {
    LlamaShape shape = tiny(4, 2);
    Gpt2Config right = llama_config(&shape), gpt2 = gpt2_config(50, 40, 3, 4, 16);
    CHECK(llama_is_family(&right) && !llama_is_family(&gpt2), "LLaMA and GPT-2");
    Gpt2Config wrong[] = {right, right, right, right, right, right};
    wrong[0].block.norm = NORM_LAYER;
    wrong[1].block.ffn = FFN_GELU_TANH;
    wrong[2].block.rotary.n_pairs = 0;
    wrong[3].positions = POSITIONS_LEARNED;
    wrong[4].block.placement = POST_LN;
    wrong[5].block.causal = false;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!llama_is_family(&wrong[i]), "configuration %zu", i);
}

/* --- gradients of attention with shared keys and rotations --- */

enum { BATCH = 2, LENGTH = 5, HEADS = 4, KV = 2, DIM = 4, WIDTH = HEADS * DIM };
enum { QKV = (HEADS + 2 * KV) * DIM, ROWS = BATCH * LENGTH };

typedef struct {
    Attention a;
    Tensor *x;
} Context;

static Tensor *run(Tape *t, void *context) {
    Context *c = context;
    return attention(t, &c->a, c->x);
}

/* out [ROWS, n_out] = x [ROWS, n_in] w + b */
static void product(double *out, const double *x, const double *w, const double *b,
                    size_t n_in, size_t n_out) {
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t j = 0; j < n_out; j++) {
            double sum = b ? b[j] : 0;
            for (size_t i = 0; i < n_in; i++) sum += x[r * n_in + i] * w[i * n_out + j];
            out[r * n_out + j] = sum;
        }
    }
}

/* Turns a head at position p. */
static void turn(double *head, double p, const float *frequencies) {
    for (size_t i = 0; i < DIM / 2; i++) {
        double angle = p * (double)frequencies[i], a = head[i], b = head[i + DIM / 2];
        head[i] = a * cos(angle) - b * sin(angle);
        head[i + DIM / 2] = b * cos(angle) + a * sin(angle);
    }
}

static void attend(double *mixed, const double *qkv, size_t b, size_t t, size_t h) {
    const double *q = qkv + (b * LENGTH + t) * QKV + h * DIM;
    double weights[LENGTH], sum = 0;
    size_t key = (HEADS + h / (HEADS / KV)) * DIM;
    for (size_t s = 0; s <= t; s++) {
        double score = 0;
        for (size_t i = 0; i < DIM; i++)
            score += q[i] * qkv[(b * LENGTH + s) * QKV + key + i];
        sum += weights[s] = exp(score / sqrt(DIM));
    }
    for (size_t i = 0; i < DIM; i++) {
        double out = 0;
        for (size_t s = 0; s <= t; s++)
            out += weights[s] / sum * qkv[(b * LENGTH + s) * QKV + key + KV * DIM + i];
        mixed[(b * LENGTH + t) * WIDTH + h * DIM + i] = out;
    }
}

static void plain(double *out, const double *const *in, void *context) {
    const float *frequencies = ((const Context *)context)->a.config.rotary.frequencies;
    double qkv[ROWS * QKV], mixed[ROWS * WIDTH];
    product(qkv, in[0], in[1], in[2], WIDTH, QKV);
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t h = 0; h < HEADS + KV; h++)
            turn(qkv + r * QKV + h * DIM, (double)(r % LENGTH), frequencies);
    }
    for (size_t n = 0; n < ROWS * HEADS; n++)
        attend(mixed, qkv, n / HEADS / LENGTH, n / HEADS % LENGTH, n % HEADS);
    product(out, mixed, in[3], NULL, WIDTH, WIDTH);
}

Test(llama, gradients_of_attention, .timeout = 20) {
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        Params params = {.mode = PARAMS_TRAIN};
        BlockConfig block = block_config_gpt2(WIDTH, HEADS);
        rotary_set(&block, 10);
        AttentionConfig config = {.d_model = WIDTH,
                                  .n_head = HEADS,
                                  .n_kv_head = KV,
                                  .causal = true,
                                  .qkv_bias = true,
                                  .kind = kind,
                                  .rotary = block.rotary,
                                  .hooks = &llama_hooks};
        Context c = {.a = attention_create(&params, NULL, &config, 0, 0, "attn")};
        c.x = params_add(&params, 3, (size_t[]){BATCH, LENGTH, WIDTH}, "x");
        check_layer_gradient(&(LayerGradient){
            .layer = run,
            .plain = plain,
            .context = &c,
            .of = {{"dx", c.x},
                   {"dc_attn", c.a.c_attn.weight},
                   {"dc_attn bias", c.a.c_attn.bias},
                   {"dc_proj", c.a.c_proj.weight}},
            .std = 0.5,
            .tolerance = 3e-5,
        });
        params_free(&params);
    }
}

/* --- the cache --- */

static Gpt2 *random_model(size_t n_head, size_t n_kv_head) {
    LlamaShape shape = tiny(n_head, n_kv_head);
    Gpt2Config config = llama_config(&shape);
    config.init_std = 0.3f; /* large enough for the attention to matter */
    Random init = random_create(3);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static double *logits_of(const Gpt2 *model, const int *tokens, size_t n) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = n};
    Tensor *logits = gpt2_logits(&t, model, &input);
    return as_double(logits->data, tensor_size(logits));
}

/* Two rows, of 3 and 7 tokens, as if each were alone: padding and the other row's
 * length change nothing, positions least of all. */
Test(llama, rows_of_different_length, .timeout = 20) {
    enum { N = 7, VOCAB = 50 };
    Gpt2 *model = random_model(6, 2);
    int tokens[2][N + 1] = {{3, 1, 4, 9, 2}, {2, 7, 1, 8, 2, 8, 1, 5}},
                      fed[2 * N] = {3, 1, 4, 0, 0, 0, 0, 2, 7, 1, 8, 2, 8, 1};
    size_t n_new[2] = {3, N};
    KvCache cache = kv_cache_create(&model->config, 2, N + 1);
    Tape t = tape_for_inference();
    for (size_t step = 0; step < 2; step++) {
        const float *got = kv_cache_logits(&t, model, &cache, fed, step ? 1 : N,
                                           step ? (size_t[]){1, 1} : n_new);
        for (size_t b = 0; b < 2; b++) {
            size_t n = n_new[b] + step;
            CHECK_CLOSE("logits of a row", got + b * VOCAB,
                        logits_of(model, tokens[b], n) + (n - 1) * VOCAB, VOCAB, 1e-6);
            if (step == 0) fed[b] = tokens[b][n];
        }
    }
}

/* Rotations are by the positions of tokens, not of places in the row. */
Test(llama, padding_in_front, .timeout = 20) {
    enum { N = 6, TOKENS = 4, VOCAB = 50 };
    Gpt2 *model = random_model(6, 2);
    int tokens[N] = {9, 9, 3, 1, 4, 2}, mask[N] = {0, 0, 1, 1, 1, 1};
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = N, .mask = mask};
    CHECK_CLOSE("logits behind padding",
                gpt2_logits(&t, model, &input)->data + (N - TOKENS) * VOCAB,
                logits_of(model, tokens + N - TOKENS, TOKENS), TOKENS * VOCAB, 0);
}

/* A window that is never full is no window. */
Test(llama, window_of_shared_keys, .timeout = 20) {
    enum { N = 20, VOCAB = 50 };
    Gpt2 *model = random_model(6, 2);
    int tokens[N];
    for (int i = 0; i < N; i++) tokens[i] = i * 7 % VOCAB;
    double *expected = logits_of(model, tokens, N);
    KvCache cache = kv_cache_create_window(&model->config, 1, 2, N);
    Tape t = tape_for_inference();
    for (size_t i = 0; i < N; i++) {
        const float *got =
            kv_cache_logits(&t, model, &cache, tokens + i, 1, (size_t[]){1});
        CHECK_CLOSE("logits", got, expected + i * VOCAB, VOCAB, 1e-6);
    }
}

/* The scores of a text depend on distances alone: at other positions the same text has
 * the same logits. */
Test(llama, positions_may_begin_anywhere, .timeout = 20) {
    enum { N = 9, VOCAB = 50 };
    Gpt2 *model = random_model(4, 4);
    int tokens[N], positions[N];
    for (int i = 0; i < N; i++) {
        tokens[i] = i * 11 % VOCAB;
        positions[i] = i + 25;
    }
    Tape t = tape_for_inference();
    Gpt2Input input = {
        .tokens = tokens, .batch = 1, .length = N, .positions = positions};
    CHECK_CLOSE("logits at positions 25 to 33", gpt2_logits(&t, model, &input)->data,
                logits_of(model, tokens, N), N * VOCAB, 1e-4);
}
