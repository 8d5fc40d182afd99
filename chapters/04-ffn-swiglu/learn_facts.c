/* Facts by heart: see learn_facts.h. */
#include "04-ffn-swiglu/learn_facts.h"

#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "base/memory.h"
#include "math/fit.h"

enum { STREAM_FACTS = 2 }; /* 1 is the learner's: where its weights begin */

typedef struct {
    size_t n;
    float *keys; /* [n, FACT_WIDTH] */
    int *names;  /* [n] */
} Facts;

static Facts facts_draw(size_t n, uint64_t seed) {
    Random random = random_stream(seed, STREAM_FACTS);
    Facts f = {n, checked_alloc(n * FACT_WIDTH, sizeof(float)),
               checked_alloc(n, sizeof(int))};
    random_fill_normal(&random, f.keys, n * FACT_WIDTH, 1.0f);
    for (size_t i = 0; i < n; i++) f.names[i] = (int)random_below(&random, FACT_WIDTH);
    return f;
}

static void facts_free(Facts *f) {
    free(f->keys);
    free(f->names);
}

double learn_facts(const FactLearner *learner, size_t n_facts, size_t steps,
                   uint64_t seed) {
    const float rate = 0.02f;
    Facts facts = facts_draw(n_facts, seed);
    AdamW optimizer = adamw_create(learner->params, rate, 0);
    Tape t = tape_create(seed);
    double held = 0;
    for (size_t step = 1; step <= steps; step++) {
        tape_reset(&t);
        params_zero_grad(learner->params);
        Tensor *x = tape_input(&t, 2, (size_t[]){n_facts, FACT_WIDTH}, facts.keys);
        Tensor *logits = learner->forward(&t, learner->model, x);
        held = accuracy(logits, facts.names);
        tape_backward(&t, cross_entropy(&t, logits, facts.names));
        double left = 4.0 * (double)(steps - step) / (double)steps;
        optimizer.settings.learning_rate = rate * (float)smaller(1.0, left);
        adamw_step(&optimizer, learner->params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
    facts_free(&facts);
    return held;
}
