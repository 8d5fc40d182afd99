/* Training runs of a scheme: see runs.h. */
#include "05-residual-blocks/experiments/runs.h"

#include <stdlib.h>

#include "00-tensors/softmax_layer.h"
#include "base/memory.h"

void scale_branches(const Stack *s, float factor) {
    for (size_t l = 0; l < s->config.depth; l++) {
        scale_weights(s->mlps[l].down.weight, factor);
        scale_weights(s->mlps[l].down.bias, factor);
    }
}

static void prepare(void *context, Params *params, Stack *s) {
    Run *run = context;
    run->params = params;
    scheme_apply(run->scheme, params, s, run->joins);
    if (run->change) run->change(s, run->seed);
    if (run->branch_scale != 0.0f) scale_branches(s, run->branch_scale);
    for (size_t l = 0; l < run->depth; l++) {
        run->drops[l] = (DropoutAfter){s->residuals[l].sublayer, run->dropout};
        s->residuals[l].sublayer = dropout_after(&run->drops[l]);
    }
}

static void on_step(void *context, const Stack *s, size_t step, float loss) {
    Run *run = context;
    if (run->on_step) run->on_step(run, s, step, loss);
}

double run_train(Run *run) {
    StackTraining config = {
        .stack = scheme_stack(run->scheme, WIDTH, 2 * WIDTH, run->depth, CLASSES),
        .steps = run->steps,
        .batch = BATCH,
        .peak = (float)run->rate,
        .seed = run->seed,
        .prepare = prepare};
    run->joins = checked_alloc(run->depth, sizeof *run->joins);
    run->drops = checked_alloc(run->depth, sizeof *run->drops);
    double loss = stack_train(&config, on_step, run);
    free(run->joins);
    free(run->drops);
    return loss;
}

double fresh_loss(const Stack *s, size_t rows, bool training) {
    enum { FRESH_SEED = 1000003 };
    Teacher teacher = teacher_create(WIDTH, CLASSES);
    Random data = random_stream(FRESH_SEED, STREAM_DATA);
    float *x = checked_alloc(rows * WIDTH, sizeof *x);
    int *targets = checked_alloc(rows, sizeof *targets);
    teacher_batch(&teacher, &data, x, targets, rows);
    Tape t = tape_for_inference();
    t.training = training;
    double loss =
        (double)cross_entropy(
            &t, stack(&t, s, tape_input(&t, 2, (size_t[]){rows, WIDTH}, x)), targets)
            ->data[0];
    tape_free(&t);
    free(x);
    free(targets);
    teacher_free(&teacher);
    return loss;
}
