/* Random facts: see fact_task.h. */
#include "04-ffn-swiglu/experiments/fact_task.h"

#include <math.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "base/memory.h"
#include "math/fit.h"

enum { STREAM_INIT = 1, STREAM_FACTS };

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

double share_held(const FactRun *run) {
    const float rate = 0.02f;
    Facts facts = facts_draw(run->n_facts, run->seed);
    Random init = random_stream(run->seed, STREAM_INIT);
    Params params = {.mode = PARAMS_TRAIN};
    size_t d_ff = ffn_is_gated(run->kind) ? ffn_gated_width(run->width) : run->width;
    Ffn f = ffn_create(&params, &init,
                       &(FfnConfig){.kind = run->kind,
                                    .d_model = FACT_WIDTH,
                                    .d_ff = d_ff,
                                    .std = 1.0f / sqrtf(FACT_WIDTH),
                                    .std_down = 1.0f / sqrtf((float)d_ff)},
                       "mlp");
    AdamW optimizer = adamw_create(&params, rate, 0);
    Tape t = tape_create(run->seed);
    double held = 0;
    for (size_t step = 1; step <= run->steps; step++) {
        tape_reset(&t);
        params_zero_grad(&params);
        Tensor *x = tape_input(&t, 2, (size_t[]){facts.n, FACT_WIDTH}, facts.keys);
        Tensor *logits = run->forward(&t, &f, x);
        held = accuracy(logits, facts.names);
        tape_backward(&t, cross_entropy(&t, logits, facts.names));
        double left = 4.0 * (double)(run->steps - step) / (double)run->steps;
        optimizer.settings.learning_rate = rate * (float)smaller(1.0, left);
        adamw_step(&optimizer, &params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
    params_free(&params);
    facts_free(&facts);
    return held;
}
