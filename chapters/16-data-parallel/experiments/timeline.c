/* When each bucket of one step leaves, is added up and is everywhere, beside the
 * backward pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "base/memory.h"

enum { RANKS = 2, STEPS = 9 };

void experiment_timeline(const Settings *settings) {
    const TrialSize size = {.n_layer = 6,
                            .width = 128,
                            .context = 64,
                            .batch = 4,
                            .accumulate = RANKS,
                            .steps = STEPS};
    trial_expect_ranks("timeline", RANKS);
    Trial t;
    trial_begin(&t, RANKS, &size, settings->seed, NULL);
    const Exchange *e = &t.parallel.exchange;
    size_t n = t.takes_part ? t.parallel.layout.n_buckets : 0, before_end = 0;
    BucketTimes *best = checked_alloc(n + 1, sizeof *best);
    best[n ? n - 1 : 0].gathered_at = INFINITY;
    /* the quickest, which nothing else has disturbed */
    for (size_t i = 0; i < STEPS; i++) {
        trial_step(&t);
        if (!n || e->times[n - 1].gathered_at > best[n - 1].gathered_at) continue;
        for (size_t b = 0; b < n; b++) best[b] = e->times[b];
    }
    if (trial_ranks()->rank == 0) {
        Csv csv =
            csv_begin(settings->out, "timeline", "bucket,floats,leaves,added,done");
        for (size_t b = 0; b < n; b++) {
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g", b, layout_bucket(e->layout, b).n,
                    1e3 * best[b].sent_at, 1e3 * best[b].reduced_at,
                    1e3 * best[b].gathered_at);
            before_end += b + 1 < n && best[b].reduced_at < best[n - 1].sent_at;
        }
        csv_commit(&csv);
        printf("a step of %.1f ms; the backward pass ends at %.1f ms\n",
               1e3 * best[n - 1].gathered_at, 1e3 * best[n - 1].sent_at);
        claim(
            2 * before_end >= n,
            "%zu of %zu buckets are added up before the last one leaves: at least half",
            before_end, n);
    }
    free(best);
    trial_end(&t);
}
