/* Which of two words comes first? See order_model.h.
 *
 * Each word goes through the same ReLU layer, and the model answers from the mean over
 * the words. So it knows which words occur; where they stand it can know only if their
 * vectors say so. */
#include "06-embeddings/experiments/order_model.h"

#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_layer.h"
#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/experiments/operations.h"
#include "06-embeddings/positions.h"
#include "math/fit.h"
#include "base/memory.h"

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };
enum { WORDS = 16, PADDING = WORDS, DIM = 32, HIDDEN = 64, BATCH = 64 };

OrderModel order_create(const OrderConfig *config, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    OrderModel m = {.config = *config,
                    .params = {.mode = PARAMS_TRAIN},
                    .fixed = {.mode = PARAMS_INFER}};
    m.wte = params_add(&m.params, 2, (size_t[]){WORDS + 1, DIM}, "wte.weight");
    /* the padding's row stays 0 */
    random_fill_normal(&init, m.wte->data, WORDS * DIM, config->word_std);
    m.wpe = position_table(config->positions, &m.params, &m.fixed, &init, ORDER_PLACES,
                           DIM, config->position_std);
    m.hidden = linear_create(&m.params, &init, DIM, HIDDEN, true, 0.2f, "hidden");
    m.head = linear_create(&m.params, &init, HIDDEN, 2, true, 0.2f, "head");
    return m;
}

void order_free(OrderModel *m) {
    params_free(&m->params);
    params_free(&m->fixed);
}

OrderBatch order_batch_create(size_t batch, size_t places) {
    return (OrderBatch){.batch = batch,
                        .places = places,
                        .tokens = checked_alloc(batch * places, sizeof(int)),
                        .answers = checked_alloc(batch, sizeof(int)),
                        .lengths = checked_alloc(batch, sizeof(size_t))};
}

void order_batch_free(OrderBatch *b) {
    free(b->tokens);
    free(b->answers);
    free(b->lengths);
}

/* Words 0 and 1 somewhere among the others; the first `n` sentences. */
static void draw(OrderBatch *batch, size_t n, size_t shortest, Random *r) {
    for (size_t b = 0; b < n; b++) {
        int *row = batch->tokens + b * batch->places;
        size_t length =
            shortest + random_below(r, (uint32_t)(ORDER_LONGEST - shortest + 1));
        for (size_t i = 0; i < batch->places; i++)
            row[i] = i < length ? 2 + (int)random_below(r, WORDS - 2) : PADDING;
        size_t first = random_below(r, (uint32_t)length),
               second = random_below(r, (uint32_t)length - 1);
        if (second >= first) second++;
        row[first] = 0;
        row[second] = 1;
        batch->answers[b] = first < second;
        batch->lengths[b] = length;
    }
}

OrderBatch order_tests(const OrderModel *m, size_t places, uint64_t seed) {
    enum { HALF = ORDER_TESTS / 2 };
    OrderBatch tests = order_batch_create(ORDER_TESTS, places);
    Random r = random_stream(seed, STREAM_TEST);
    draw(&tests, HALF, m->config.shortest, &r);
    for (size_t i = 0; i < HALF * places; i++) {
        int token = tests.tokens[i];
        tests.tokens[HALF * places + i] = token == 0 || token == 1 ? 1 - token : token;
    }
    for (size_t b = 0; b < HALF; b++) {
        tests.answers[HALF + b] = !tests.answers[b];
        tests.lengths[HALF + b] = tests.lengths[b];
    }
    return tests;
}

Tensor *order_logits(Tape *t, const OrderModel *m, const OrderBatch *b) {
    Tensor *x =
        embedding(t, m->wte, b->tokens, 2, (size_t[]){b->batch, b->places}, PADDING);
    if (m->wpe) x = tape_add(t, x, positions(t, m->wpe, NULL, b->batch, b->places));
    if (m->config.causal) x = tape_add(t, x, mix(t, mean_so_far(t, b->places), x));
    Tensor *h = relu(t, linear(t, &m->hidden, x));
    Tensor *weights = m->config.counts_padding
                          ? mean_of_places(t, b->places)
                          : mean_of_words(t, b->lengths, b->batch, b->places);
    return linear(t, &m->head,
                  tape_reshape(t, mix(t, weights, h), 2, (size_t[]){b->batch, HIDDEN}));
}

double order_accuracy(const OrderModel *m, const OrderBatch *b) {
    Tape t = tape_for_inference();
    double share = accuracy(order_logits(&t, m, b), b->answers);
    tape_free(&t);
    return share;
}

double order_twin_difference(const OrderModel *m, const OrderBatch *tests) {
    Tape t = tape_for_inference();
    Tensor *logits = order_logits(&t, m, tests);
    size_t half = tensor_size(logits) / 2;
    double largest = largest_difference(logits->data, logits->data + half, half);
    tape_free(&t);
    return largest;
}

void order_train(OrderModel *m, double *accuracy_at, size_t steps, uint64_t seed) {
    OrderBatch batch = order_batch_create(BATCH, ORDER_LONGEST),
               tests = order_tests(m, ORDER_LONGEST, seed);
    float rate = m->config.rate > 0 ? m->config.rate : 3e-3f;
    AdamW optimizer = adamw_create(&m->params, rate, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step <= steps; step++) {
        if (step % ORDER_EVERY == 0)
            accuracy_at[step / ORDER_EVERY] = order_accuracy(m, &tests);
        draw(&batch, BATCH, m->config.shortest, &data);
        tape_reset(&t);
        params_zero_grad(&m->params);
        tape_backward(&t,
                      cross_entropy(&t, order_logits(&t, m, &batch), batch.answers));
        adamw_step(&optimizer, &m->params);
    }
    adamw_free(&optimizer);
    order_batch_free(&batch);
    order_batch_free(&tests);
    tape_free(&t);
}
