/* Rotary positions stretched past the trained length: see experiments.h. */
#include <math.h>
#include <stdio.h>

#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/small_models.h"
#include "18-llama/rotary.h"
#include "files/csv.h"
#include "program/claim.h"
#include "program/progress.h"

enum { PLAIN, INTERPOLATED, LLAMA3, ONE_PAIR, WAYS };
enum { AT_ONCE, TUNED, TIMES };

static const char *const names[WAYS] = {"as they were", "interpolated", "Llama 3",
                                        "one pair"};

/* The fastest pair that has not made half a turn within the trained length. Up to there
 * its cosine falls with the distance; behind the half turn, at 99 here, it rises
 * again. */
static size_t first_to_come_back(const Rotary *r) {
    const double pi = 3.14159265358979323846;
    size_t i = 0;
    while ((double)r->frequencies[i] * TRAINED > pi) i++;
    return i;
}

static Rotary stretched(size_t way) {
    Rotary r = small_llama().block.rotary;
    const float factor = (float)ASKED / TRAINED;
    if (way == INTERPOLATED) rotary_interpolate(&r, factor);
    if (way == ONE_PAIR) r.frequencies[first_to_come_back(&r)] /= 2;
    if (way == LLAMA3) rotary_scale(&r, factor, 1, 4, TRAINED);
    return r;
}

static void turn_by(Gpt2 *model, const Rotary *rotary) {
    for (size_t l = 0; l < model->config.n_layer; l++)
        model->blocks[l].attn.config.rotary = *rotary;
}

typedef struct {
    SmallRuns small;
    LossByPosition runs[WAYS][TIMES][MAX_SEEDS];
} Stretch;

static void run_way(Stretch *x, size_t way, size_t s, const Gpt2 *trained,
                    uint64_t seed) {
    const SmallRuns *small = &x->small;
    Gpt2 *model = gpt2_copy(trained);
    Rotary rotary = stretched(way);
    turn_by(model, &rotary);
    x->runs[way][AT_ONCE][s] = small_ask(small, model);
    small_train(small, model, seed + 100, small->steps / 20, ASKED, 1e-3f);
    x->runs[way][TUNED][s] = small_ask(small, model);
    gpt2_free(model);
}

static void run_all(Stretch *x, uint64_t seed) {
    size_t n_seeds = x->small.n_seeds, done = 0;
    Progress progress = progress_begin("stretch", n_seeds);
#pragma omp parallel for schedule(dynamic)
    for (size_t s = 0; s < n_seeds; s++) {
        Gpt2Config config = small_llama();
        Gpt2 *trained = small_trained(&x->small, &config, seed + s);
        for (size_t way = 0; way < WAYS; way++) run_way(x, way, s, trained, seed + s);
        gpt2_free(trained);
#pragma omp critical
        progress_update(&progress, ++done, "seed %llu", (unsigned long long)(seed + s));
    }
    progress_end(&progress);
}

static void write_runs(const Stretch *x, const char *directory) {
    Csv ends = csv_begin(directory, "stretch", "way,order,tuned,seed,loss,past");
    Csv places =
        csv_begin(directory, "stretch-positions", "order,tuned,seed,position,loss");
    for (size_t i = 0; i < WAYS * TIMES; i++) {
        size_t way = i % WAYS, tuned = i / WAYS;
        printf("%-13s%-12s", names[way], tuned ? "and trained" : "");
        for (size_t s = 0; s < x->small.n_seeds; s++) {
            const LossByPosition *run = &x->runs[way][tuned][s];
            printf("  %.3f %.3f", loss_inside(run), loss_past(run));
            csv_row(&ends, "%s,%zu,%zu,%zu,%.6g,%.6g", names[way], way, tuned, s + 1,
                    loss_inside(run), loss_past(run));
            for (size_t b = 0; b < BUCKETS; b++)
                csv_row(&places, "%zu,%zu,%zu,%zu,%.6g", way, tuned, s + 1,
                        b * BUCKET + BUCKET / 2, run->losses[b]);
        }
        putchar('\n');
    }
    csv_commit(&ends);
    csv_commit(&places);
}

static double lead(const Stretch *x, size_t better, size_t worse, size_t tuned,
                   double (*loss)(const LossByPosition *)) {
    double least = INFINITY;
    for (size_t s = 0; s < x->small.n_seeds; s++)
        least = fmin(least, loss(&x->runs[worse][tuned][s]) -
                                loss(&x->runs[better][tuned][s]));
    return least;
}

static void check_runs(const Stretch *x) {
    double inside = lead(x, PLAIN, INTERPOLATED, AT_ONCE, loss_inside);
    claim(inside > 0,
          "interpolated at once, they lose %.2f nats more inside of the length",
          inside);
    double kept = lead(x, LLAMA3, INTERPOLATED, AT_ONCE, loss_inside);
    claim(kept > 0, "scaled as Llama 3 does it, %.2f less than interpolated", kept);
    double one = lead(x, ONE_PAIR, PLAIN, AT_ONCE, loss_past),
           cost = lead(x, ONE_PAIR, PLAIN, AT_ONCE, loss_inside);
    claim(one > 0.4, "one pair at half its speed takes %.2f off behind it, at once",
          one);
    claim(cost > -0.03, "and costs %.3f inside", -cost);
    double tuned = INFINITY;
    for (size_t way = 0; way < WAYS; way++) {
        for (size_t s = 0; s < x->small.n_seeds; s++)
            tuned = fmin(tuned, loss_past(&x->runs[way][AT_ONCE][s]) -
                                    loss_past(&x->runs[way][TUNED][s]));
    }
    double ahead = lead(x, LLAMA3, PLAIN, TUNED, loss_past);
    claim(ahead > 0, "behind the old length Llama 3's way then leads by %.3f at least",
          ahead);
    claim(tuned > 0, "a few steps at the new length take %.2f off at least", tuned);
}

void experiment_stretch(const Settings *settings) {
    static Stretch x;
    x.small = small_runs_begin(settings);
    printf("losses up to position %d, and behind it, by seed; trained: %zu steps at "
           "%d\n",
           TRAINED, x.small.steps / 20, ASKED);
    run_all(&x, settings->seed);
    write_runs(&x, settings->out);
    check_runs(&x);
    small_runs_end(&x.small);
}
