/* Which word stood one place back? See lookback_model.h. */
#include "06-embeddings/experiments/lookback_model.h"

#include <math.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/experiments/operations.h"
#include "06-embeddings/positions.h"
#include "base/memory.h"

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };
enum { WORDS = 16, DIM = LOOKBACK_DIM, BATCH = 16, TEST_BATCH = 256 };

LookbackModel lookback_create(PositionKind kind, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    LookbackModel m = {.kind = kind,
                       .params = {.mode = PARAMS_TRAIN},
                       .fixed = {.mode = PARAMS_INFER}};
    m.wte = params_add(&m.params, 2, (size_t[]){WORDS, DIM}, "wte.weight");
    random_fill_normal(&init, m.wte->data, WORDS * DIM, 0.3f);
    m.wpe =
        position_table(kind, &m.params, &m.fixed, &init, LOOKBACK_PLACES, DIM, 0.3f);
    m.match = linear_create(&m.params, &init, DIM, kind == POSITIONS_DISTANCE ? 1 : DIM,
                            false, 0.3f, "match");
    m.head = linear_create(&m.params, &init, DIM, WORDS, true, 0.3f, "head");
    return m;
}

void lookback_free(LookbackModel *m) {
    params_free(&m->params);
    params_free(&m->fixed);
}

/* [places, places]: how far place i is behind place j, 0 for later places. */
static int *distances(Tape *t, size_t places) {
    int *ids = tape_alloc(t, size_mul(places, places), sizeof *ids);
    for (size_t i = 0; i < places * places; i++) {
        size_t at = i / places, other = i % places;
        ids[i] = at > other ? (int)(at - other) : 0;
    }
    return ids;
}

/* [places, places]: 0 where place i may look, minus infinity at later places. */
static Tensor *causal_mask(Tape *t, size_t places) {
    Tensor *mask = tape_tensor(t, 2, (size_t[]){places, places}, false);
    for (size_t i = 0; i < places * places; i++)
        mask->data[i] = i % places <= i / places ? 0.0f : -INFINITY;
    return mask;
}

//> scores
/* [places, places]: how much place i wants to see place j. */
static Tensor *scores_of(Tape *t, const LookbackModel *m, size_t places) {
    if (m->kind == POSITIONS_DISTANCE) {
        Tensor *row = embedding(t, m->wpe, distances(t, places), 2,
                                (size_t[]){places, places}, NO_PADDING);
        return tape_reshape(t, linear(t, &m->match, row), 2,
                            (size_t[]){places, places});
    }
    Tensor *p = tape_reshape(t, positions(t, m->wpe, NULL, 1, places), 2,
                             (size_t[]){places, DIM});
    Tensor *wanted = linear(t, &m->match, p);
    return linear(t, &(Linear){.weight = transpose(t, p)}, wanted);
}
//< scores

static Tensor *logits(Tape *t, const LookbackModel *m, const int *tokens, size_t batch,
                      size_t places) {
    Tensor *scores = causal_mask(t, places);
    if (m->wpe) scores = tape_add(t, scores, scores_of(t, m, places));
    Tensor *words =
        embedding(t, m->wte, tokens, 2, (size_t[]){batch, places}, NO_PADDING);
    return linear(t, &m->head, mix(t, softmax(t, scores, -1), words));
}

/* The answer at a place is one of the last `reach` words before it, each as likely as
 * the others. */
static void sentences(int *tokens, int *answers, size_t batch, size_t places,
                      size_t reach, Random *r) {
    for (size_t i = 0; i < batch * places; i++) {
        size_t before = i % places, farthest = before < reach ? before : reach;
        tokens[i] = (int)random_below(r, WORDS);
        answers[i] = before ? tokens[i - 1 - random_below(r, (uint32_t)farthest)]
                            : IGNORE_TARGET;
    }
}

void lookback_train(LookbackModel *m, size_t reach, size_t steps, uint64_t seed) {
    int tokens[BATCH * LOOKBACK_TRAINED], answers[BATCH * LOOKBACK_TRAINED];
    AdamW optimizer = adamw_create(&m->params, 1e-2f, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step < steps; step++) {
        sentences(tokens, answers, BATCH, LOOKBACK_TRAINED, reach, &data);
        tape_reset(&t);
        params_zero_grad(&m->params);
        tape_backward(
            &t,
            cross_entropy(&t, logits(&t, m, tokens, BATCH, LOOKBACK_TRAINED), answers));
        adamw_step(&optimizer, &m->params);
    }
    adamw_free(&optimizer);
    tape_free(&t);
}

void lookback_measure(double accuracy_at[LOOKBACK_PLACES], const LookbackModel *m,
                      uint64_t seed) {
    static int tokens[TEST_BATCH * LOOKBACK_PLACES],
        answers[TEST_BATCH * LOOKBACK_PLACES];
    Random r = random_stream(seed, STREAM_TEST);
    sentences(tokens, answers, TEST_BATCH, LOOKBACK_PLACES, 1, &r);
    Tape t = tape_for_inference();
    Tensor *all = logits(&t, m, tokens, TEST_BATCH, LOOKBACK_PLACES);
    for (size_t p = 0; p < LOOKBACK_PLACES; p++) {
        int right = 0;
        for (size_t b = 0; b < TEST_BATCH; b++) {
            size_t i = b * LOOKBACK_PLACES + p;
            Tensor one = {
                .ndim = 2, .shape = {1, WORDS}, .data = all->data + i * WORDS};
            right += p && accuracy(&one, answers + i) > 0;
        }
        accuracy_at[p] = p ? (double)right / TEST_BATCH : (double)NAN;
    }
    tape_free(&t);
}
