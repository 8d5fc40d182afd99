/* Which of two words comes first? A small model, with and without positions. */
#ifndef CHAPTER_06_ORDER_MODEL_H
#define CHAPTER_06_ORDER_MODEL_H

#include "00-tensors/linear.h"
#include "06-embeddings/experiments/position_kind.h"
#include "tensor/tape.h"

enum { ORDER_LONGEST = 8, ORDER_PLACES = 64, ORDER_TESTS = 1024, ORDER_EVERY = 20 };

typedef struct {
    PositionKind positions;
    bool causal;         /* each word also sees the mean of the words up to it */
    bool counts_padding; /* the mean goes over all places, padding included */
    size_t shortest;     /* sentences of `shortest` to ORDER_LONGEST words */
    float word_std, position_std; /* of the normal numbers that the tables start with */
    float rate;                   /* of AdamW; 0: 0.003 */
} OrderConfig;

typedef struct {
    OrderConfig config;
    Params params, fixed; /* the learned parameters, and the fixed ones */
    Tensor *wte, *wpe;    /* wpe: NULL without positions */
    Linear hidden, head;
} OrderModel;

OrderModel order_create(const OrderConfig *config, uint64_t seed);
void order_free(OrderModel *m);

/* Sentences that hold word 0 and word 1 once each; the answer is 1 where word 0 comes
 * first. */
typedef struct {
    size_t batch, places;
    int *tokens, *answers; /* [batch, places], [batch] */
    size_t *lengths;       /* [batch]; behind them stands padding */
} OrderBatch;

OrderBatch order_batch_create(size_t batch, size_t places);
void order_batch_free(OrderBatch *b);

/* ORDER_TESTS sentences that no training sees, in rows of `places`. The second half is
 * the first once more with the two words exchanged: the same answer to both is right
 * once. */
OrderBatch order_tests(const OrderModel *m, size_t places, uint64_t seed);

/* [batch, 2] */
Tensor *order_logits(Tape *t, const OrderModel *m, const OrderBatch *b);

/* The share of right answers. */
double order_accuracy(const OrderModel *m, const OrderBatch *b);

/* The largest difference between the logits of a sentence and of its twin. */
double order_twin_difference(const OrderModel *m, const OrderBatch *tests);

/* Trains for `steps` steps and writes the accuracy on the tests to accuracy[0],
 * accuracy[1] ...: before the first step and after every ORDER_EVERY, steps /
 * ORDER_EVERY + 1 numbers. */
void order_train(OrderModel *m, double *accuracy, size_t steps, uint64_t seed);

#endif
