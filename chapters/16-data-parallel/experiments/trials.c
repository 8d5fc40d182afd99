/* Trainings for the experiments: see trials.h. */
#include "16-data-parallel/experiments/trials.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/shard.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

static const Ranks *all_ranks;

void experiments_use(const Ranks *ranks) {
    all_ranks = ranks;
}

const Ranks *trial_ranks(void) {
    return all_ranks;
}

void trial_expect_ranks(const char *experiment, size_t n) {
    if (all_ranks->n < n)
        die_usage("--experiment %s: %zu processes, expected at least %zu: RANKS=%zu",
                  experiment, all_ranks->n, n, n);
}

void trial_begin(Trial *t, size_t n_ranks, const TrialSize *size, uint64_t seed,
                 AllReduce *other) {
    *t = (Trial){.takes_part = all_ranks->rank < n_ranks};
    t->ranks = ranks_first(all_ranks, n_ranks);
    if (!t->takes_part) return;
    Tokenizer *bytes = tokenizer_bytes();
    t->data = dataset_corpus(bytes, seed, 200000, 2000);
    tokenizer_free(bytes);
    Gpt2Config model =
        gpt2_config(t->data.n_vocab, size->context, size->n_layer, 4, size->width);
    TrainSettings s = train_settings(&model);
    s.seed = seed;
    s.batch = size->batch;
    s.accumulate = size->accumulate;
    s.steps = size->steps;
    s.warmup = size->steps / 10 + 1;
    t->parallel = data_parallel_create(&t->ranks, 1 << 16, false);
    if (other) data_parallel_use(&t->parallel, other);
    t->trainer = trainer_create(&s, &t->data, NULL);
    t->trainer.group = &t->parallel.group;
    t->parallel.group.begin(&t->parallel.group, &t->trainer);
}

void trial_step(Trial *t) {
    if (t->takes_part) trainer_step(&t->trainer);
}

/* MPI waits in a loop, which would take the cores from ranks that still compute: a rank
 * sleeps here instead. */
static void wait_asleep(void) {
    MPI_Request all;
    int here = 0;
    MPI_Ibarrier(all_ranks->comm, &all);
    for (MPI_Test(&all, &here, MPI_STATUS_IGNORE); !here;
         MPI_Test(&all, &here, MPI_STATUS_IGNORE))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void trial_end(Trial *t) {
    if (t->takes_part) {
        data_parallel_free(&t->parallel);
        trainer_free(&t->trainer);
        dataset_free(&t->data);
    }
    ranks_free(&t->ranks);
    wait_asleep();
}

float *trial_weights(const Trial *t, size_t *n) {
    const Params *params = &t->trainer.model->params;
    *n = params_count(params);
    float *weights = checked_alloc(*n, sizeof *weights), *next = weights;
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        memcpy(next, x->data, tensor_size(x) * sizeof *next);
        next += tensor_size(x);
    }
    return weights;
}
