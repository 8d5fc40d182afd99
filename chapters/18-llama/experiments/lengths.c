/* Kinds of positions past the trained length: see experiments.h. */
#include <math.h>
#include <stdio.h>

#include "18-llama/experiments/distance_scores.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/small_models.h"
#include "files/csv.h"
#include "program/claim.h"
#include "program/progress.h"

enum { LEARNED, SINUSOIDAL, NONE, ROTARY, DISTANCE, KINDS };

static const char *const names[KINDS] = {"learned", "sinusoidal", "none", "rotary",
                                         "distance"};

static Gpt2Config config_of(size_t kind) {
    Gpt2Config c = small_llama();
    if (kind == ROTARY) return c;
    c.block.rotary = (Rotary){0};
    c.block.hooks = NULL;
    if (kind == LEARNED) c.positions = POSITIONS_LEARNED;
    if (kind == SINUSOIDAL) c.positions = POSITIONS_SINUSOIDAL;
    if (kind == DISTANCE) distance_scores_set(&c.block);
    return c;
}

typedef struct {
    SmallRuns small;
    LossByPosition runs[KINDS][MAX_SEEDS];
} Lengths;

static void run_all(Lengths *l, uint64_t seed) {
    size_t n_seeds = l->small.n_seeds, n_runs = KINDS * n_seeds, done = 0;
    Progress progress = progress_begin("positions", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < n_runs; i++) {
        size_t kind = i / n_seeds, s = i % n_seeds;
        Gpt2Config config = config_of(kind);
        Gpt2 *model = small_trained(&l->small, &config, seed + s);
        l->runs[kind][s] = small_ask(&l->small, model);
        gpt2_free(model);
#pragma omp critical
        progress_update(&progress, ++done, "%s", names[kind]);
    }
    progress_end(&progress);
}

static void write_runs(const Lengths *l, const char *directory) {
    Csv ends = csv_begin(directory, "lengths", "kind,order,seed,loss,past");
    Csv places = csv_begin(directory, "lengths-positions", "order,seed,position,loss");
    for (size_t kind = 0; kind < KINDS; kind++) {
        printf("%-11s", names[kind]);
        for (size_t s = 0; s < l->small.n_seeds; s++) {
            const LossByPosition *run = &l->runs[kind][s];
            double inside = loss_inside(run), past = loss_past(run);
            printf("  %.3f %.3f", inside, past);
            csv_row(&ends, "%s,%zu,%zu,%.6g,%.6g", names[kind], kind, s + 1, inside,
                    past);
            for (size_t i = 0; i < BUCKETS; i++)
                csv_row(&places, "%zu,%zu,%zu,%.6g", kind, s + 1,
                        i * BUCKET + BUCKET / 2, run->losses[i]);
        }
        putchar('\n');
    }
    csv_commit(&ends);
    csv_commit(&places);
}

/* The smallest lead, over the seeds, of `better` over `worse`. */
static double lead(const Lengths *l, size_t better, size_t worse,
                   double (*loss)(const LossByPosition *)) {
    double least = INFINITY;
    for (size_t s = 0; s < l->small.n_seeds; s++)
        least = fmin(least, loss(&l->runs[worse][s]) - loss(&l->runs[better][s]));
    return least;
}

static void check_runs(const Lengths *l) {
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (kind == DISTANCE) continue;
        double past = lead(l, DISTANCE, kind, loss_past);
        claim(past > 0,
              "past the trained length a penalty for the distance loses %.3f nats less "
              "than %s at least, in each seed",
              past, names[kind]);
    }
    double inside = lead(l, ROTARY, LEARNED, loss_inside);
    claim(inside > 0, "inside of it rotary positions lose %.3f less than learned",
          inside);
}

void experiment_lengths(const Settings *settings) {
    static Lengths l;
    l.small = small_runs_begin(settings);
    printf("losses up to position %d, and behind it, by seed\n", TRAINED);
    run_all(&l, settings->seed);
    write_runs(&l, settings->out);
    check_runs(&l);
    small_runs_end(&l.small);
}
