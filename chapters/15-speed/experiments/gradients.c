/* Where the gradients of outputs live: each in memory of its own until the step ends,
 * or in memory that another has left. A forward and a backward pass of chapter 11's
 * model; both ways, every number is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gpt2.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/memory.h"
#include "kernels/threads.h"

enum { BATCH = 16, LENGTH = 64, TOKENS = BATCH * LENGTH, TURNS = 25, MOST_THREADS = 2 };

static Gpt2 *model;
static Tape own, shared;
static int tokens[TOKENS + 1];

static void pass(Tape *t) {
    tape_reset(t);
    params_zero_grad(&model->params);
    Gpt2Input input = {.tokens = tokens, .batch = BATCH, .length = LENGTH};
    tape_backward(t, gpt2_loss(t, model, &input, tokens + 1));
}
static void pass_with_own(void) {
    pass(&own);
}
static void pass_with_shared(void) {
    pass(&shared);
}

/* Whether both ways give the gradients of the parameters the same bits. */
static bool gradients_agree(void) {
    size_t bytes = model->params.n_grads * sizeof(float);
    float *first = checked_alloc(bytes, 1);
    pass_with_own();
    memcpy(first, model->params.grads, bytes);
    pass_with_shared();
    bool agree = memcmp(first, model->params.grads, bytes) == 0;
    free(first);
    return agree;
}

void experiment_gradients(const Settings *settings) {
    Random random = random_create(settings->seed);
    Gpt2Config config = gpt2_config(512, LENGTH, 4, 4, 128);
    model = gpt2_create(&config, PARAMS_TRAIN, &random);
    own = tape_create(settings->seed);
    shared = tape_for_training(settings->seed);
    for (size_t i = 0; i <= TOKENS; i++)
        tokens[i] = (int)random_below(&random, (uint32_t)config.n_vocab);
    bool agree = gradients_agree();
    double megabytes[] = {1e-6 * (double)own.arena.peak,
                          1e-6 * (double)shared.arena.peak};
    Csv csv = csv_begin(settings->out, "gradients",
                        "threads,own_ms,shared_ms,ratio,own_mb,shared_mb");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
        double seconds[2];
        timing_work(seconds, (Work *[]){pass_with_own, pass_with_shared}, 2, threads,
                    TURNS);
        printf("  %zu thread%s: each gradient its own memory %6.2f ms, %5.1f MB; "
               "shared %6.2f ms, %5.1f MB: "
               "%.2f times as fast\n",
               threads, threads > 1 ? "s" : "", 1e3 * seconds[0], megabytes[0],
               1e3 * seconds[1], megabytes[1], seconds[0] / seconds[1]);
        csv_row(&csv, "%zu,%.4g,%.4g,%.3g,%.4g,%.4g", threads, 1e3 * seconds[0],
                1e3 * seconds[1], seconds[0] / seconds[1], megabytes[0], megabytes[1]);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(agree, "both ways, the parameters have gradients of the same bits");
    claim(megabytes[1] < 0.75 * megabytes[0], "shared: %.2f of the memory (below 0.75)",
          megabytes[1] / megabytes[0]);
    tape_free(&own);
    tape_free(&shared);
    gpt2_free(model);
}
