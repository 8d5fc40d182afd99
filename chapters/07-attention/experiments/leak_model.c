/* A language model that reads its answers: see leak_model.h. */
#include "07-attention/experiments/leak_model.h"

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/positions.h"
#include "07-attention/attention.h"

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };
enum { LENGTH = 8, DIM = 32, HEADS = 2, BATCH = 64, TEST_BATCH = 256 };

typedef struct {
    Params params;
    Tensor *wte, *wpe;
    Attention attn;
    Linear head;
} Model;

static Model model_create(bool causal, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Model m = {.params = {.mode = PARAMS_TRAIN}};
    m.wte = params_add(&m.params, 2, (size_t[]){LEAK_WORDS, DIM}, "wte.weight");
    m.wpe = params_add(&m.params, 2, (size_t[]){LENGTH, DIM}, "wpe.weight");
    random_fill_normal(&init, m.wte->data, LEAK_WORDS * DIM, 0.3f);
    random_fill_normal(&init, m.wpe->data, LENGTH * DIM, 0.3f);
    AttentionConfig config = {.d_model = DIM, .n_head = HEADS, .causal = causal, .has_bias = true};
    m.attn = attention_create(&m.params, &init, &config, 0.2f, 0.2f, "attn");
    m.head = linear_create(&m.params, &init, DIM, LEAK_WORDS, true, 0.02f, "head");
    return m;
}

/* Each word's target is the word behind it. */
static void sentences(int *tokens, int *targets, size_t batch, Random *r) {
    for (size_t b = 0; b < batch; b++) {
        int word = (int)random_below(r, LEAK_WORDS);
        for (size_t i = b * LENGTH; i < (b + 1) * LENGTH; i++) {
            tokens[i] = word;
            targets[i] = word = (int)random_below(r, LEAK_WORDS);
        }
    }
}

//> leak_model
static Tensor *loss_of(Tape *t, const Model *m, const int *tokens, const int *targets, size_t batch) {
    Tensor *words = embedding(t, m->wte, tokens, 2, (size_t[]){batch, LENGTH}, NO_PADDING);
    Tensor *x = tape_add(t, words, positions(t, m->wpe, NULL, batch, LENGTH));
    x = tape_add(t, x, attention(t, &m->attn, x));
    return cross_entropy(t, linear(t, &m->head, x), targets);
}
//< leak_model

static double measure(Tape *t, const Model *m, uint64_t seed) {
    static int tokens[TEST_BATCH * LENGTH], targets[TEST_BATCH * LENGTH];
    Random r = random_stream(seed, STREAM_TEST);
    sentences(tokens, targets, TEST_BATCH, &r);
    tape_reset(t);
    return (double)loss_of(t, m, tokens, targets, TEST_BATCH)->data[0];
}

size_t leak_train(double *loss, bool causal, size_t steps, uint64_t seed) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Model m = model_create(causal, seed);
    AdamW optimizer = adamw_create(&m.params, 1e-2f, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    size_t n = 0;
    for (size_t step = 0; step <= steps; step++) {
        if (step % LEAK_EVERY == 0) loss[n++] = measure(&t, &m, seed);
        sentences(tokens, targets, BATCH, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        tape_backward(&t, loss_of(&t, &m, tokens, targets, BATCH));
        adamw_step(&optimizer, &m.params);
    }
    adamw_free(&optimizer);
    params_free(&m.params);
    tape_free(&t);
    return n;
}
