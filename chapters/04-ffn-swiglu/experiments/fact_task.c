/* Random facts in an FFN: see fact_task.h. */
#include "04-ffn-swiglu/experiments/fact_task.h"

#include <math.h>

enum { STREAM_INIT = 1 };

typedef struct {
    const FactRun *run;
    Ffn ffn;
} RunModel;

static Tensor *forward(Tape *t, const void *model, Tensor *x) {
    const RunModel *m = model;
    return m->run->forward(t, &m->ffn, x);
}

double share_held(const FactRun *run) {
    Random init = random_stream(run->seed, STREAM_INIT);
    Params params = {.mode = PARAMS_TRAIN};
    size_t d_ff = ffn_is_gated(run->kind) ? ffn_gated_width(run->width) : run->width;
    RunModel m = {run, ffn_create(&params, &init,
                                  &(FfnConfig){.kind = run->kind,
                                               .d_model = FACT_WIDTH,
                                               .d_ff = d_ff,
                                               .std = 1.0f / sqrtf(FACT_WIDTH),
                                               .std_down = 1.0f / sqrtf((float)d_ff)},
                                  "mlp")};
    double held = learn_facts(&(FactLearner){forward, &m, &params}, run->n_facts,
                              run->steps, run->seed);
    params_free(&params);
    return held;
}
