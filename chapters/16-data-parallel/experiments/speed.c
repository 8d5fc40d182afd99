/* Steps a second by the number of ranks, how much of a step is communication, what the
 * tree costs beside MPI_Iallreduce, and how many bytes leave a rank. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum { STEPS = 24, MOST_RANKS = 4 };

typedef struct {
    double seconds, mpi_seconds; /* of a step, the least of several: the exchange; with
                                    MPI_Iallreduce instead */
    double cost;                 /* the one over the other, step by step: the median */
    double share;         /* of a step, from the last bucket's leaving to the end of the
                             exchange: median */
    double bytes, floats; /* that leave a rank in a step; of all gradients */
} Speed;

static double seconds_of_step(Trial *t) {
    double started = clock_seconds();
    trial_step(t);
    return clock_seconds() - started;
}

/* Two trainings step in turn, so that what else the machine does meets both. */
static Speed measure(size_t ranks, size_t threads, const Settings *settings) {
    const TrialSize size = {.n_layer = 4,
                            .width = 128,
                            .context = 64,
                            .batch = 2,
                            .accumulate = 8,
                            .steps = STEPS};
    size_t steps = settings->quick ? 6 : STEPS;
    double ratios[STEPS], shares[STEPS];
    Speed speed = {.seconds = INFINITY, .mpi_seconds = INFINITY};
    Trial tree, mpi;
    threads_use(threads);
    trial_begin(&tree, ranks, &size, settings->seed, NULL);
    trial_begin(&mpi, ranks, &size, settings->seed, all_reduce_mpi);
    for (size_t i = 0; i < steps && tree.takes_part; i++) {
        double a = seconds_of_step(&tree), b = seconds_of_step(&mpi);
        const BucketTimes *last =
            &tree.parallel.exchange.times[tree.parallel.layout.n_buckets - 1];
        ratios[i] = a / b;
        shares[i] = (last->gathered_at - last->sent_at) / a;
        speed.seconds = smaller(speed.seconds, a);
        speed.mpi_seconds = smaller(speed.mpi_seconds, b);
    }
    if (tree.takes_part) {
        speed.cost = quantile(ratios, steps, 0.5);
        speed.share = quantile(shares, steps, 0.5);
        speed.bytes = (double)tree.parallel.exchange.bytes_sent;
        speed.floats = (double)tree.trainer.model->params.n_grads;
    }
    trial_end(&mpi);
    trial_end(&tree);
    threads_use(settings->threads);
    return speed;
}

void experiment_speed(const Settings *settings) {
    trial_expect_ranks("speed", MOST_RANKS);
    Csv csv = {0};
    bool is_root = trial_ranks()->rank == 0, exact = true;
    if (is_root)
        csv = csv_begin(settings->out, "speed",
                        "processes,threads,ms,mpi_ms,cost,share,bytes,theory");
    printf("%9s %8s %9s %13s %6s %8s %12s %17s\n", "processes", "threads", "ms/step",
           "with MPI's sum", "ratio", "waiting", "bytes sent", "2(P-1)/P of all");
    double one = 0, faster = 0, cost = 0;
    for (size_t ranks = 1; ranks <= MOST_RANKS; ranks *= 2) {
        size_t most = ranks == 1 ? MOST_RANKS : 1;
        for (size_t threads = 1; threads <= most; threads *= 2) {
            Speed s = measure(ranks, threads, settings);
            double theory = 2.0 * (double)(ranks - 1) / (double)ranks * 4 * s.floats;
            if (!is_root) continue;
            printf("%9zu %8zu %9.1f %13.1f %6.2f %7.1f%% %12.0f %17.0f\n", ranks,
                   threads, 1e3 * s.seconds, 1e3 * s.mpi_seconds, s.cost, 100 * s.share,
                   s.bytes, theory);
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.0f,%.0f", ranks, threads,
                    1e3 * s.seconds, 1e3 * s.mpi_seconds, s.cost, s.share, s.bytes,
                    theory);
            if (ranks == 1 && threads == 1) one = s.seconds;
            if (ranks == 2) faster = one / s.seconds;
            cost = s.cost; /* of the most ranks, in the end */
            exact = exact && fabs(s.bytes - theory) <= 0.1 * theory;
        }
    }
    if (!is_root) return;
    csv_commit(&csv);
    claim(exact, "the bytes that leave rank 0 are within a tenth of 2 (P - 1) / P of "
                 "all gradients");
    printf("two processes are %.2f times as fast as one, on cores that others may use, "
           "too\n",
           faster);
    claim(cost < 1.25,
          "with %d processes a step takes %.2f of the time that it takes with MPI's "
          "sum, below 1.25",
          MOST_RANKS, cost);
}
