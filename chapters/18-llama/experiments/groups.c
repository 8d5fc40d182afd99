/* Heads that share keys and values: see experiments.h. */
#include <math.h>
#include <stdio.h>

#include "13-kv-cache/kv_cache.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/small_models.h"
#include "18-llama/rotary.h"
#include "files/csv.h"
#include "program/claim.h"
#include "program/progress.h"

/* Eight query heads of eight features, and 8, 4, 2, 1 heads of keys. */
enum { QUERY_HEADS = 8, SHARES = 4 };
enum { LEFT_OUT, TO_FFN, USES };

static const char *const uses[USES] = {"left out", "to the FFN"};

static size_t kv_heads(size_t share) {
    return (size_t)QUERY_HEADS >> share;
}

/* k and v save a matrix of d_model rows; the FFN has three. */
static Gpt2Config config_of(size_t share, size_t use) {
    Gpt2Config c = small_llama();
    c.block.n_head = QUERY_HEADS;
    rotary_set(&c.block, 10000);
    c.block.n_kv_head = kv_heads(share);
    size_t saved = 2 * (QUERY_HEADS - kv_heads(share)) * (WIDTH / QUERY_HEADS);
    if (use == TO_FFN) c.block.d_ff += (saved + 1) / 3;
    return c;
}

typedef struct {
    double loss;
    size_t parameters;
} Run;

typedef struct {
    SmallRuns small;
    Run runs[SHARES][USES][MAX_SEEDS];
} Groups;

static void run_all(Groups *g, uint64_t seed) {
    size_t n_seeds = g->small.n_seeds, n_runs = SHARES * USES * n_seeds, done = 0;
    Progress progress = progress_begin("groups", n_runs - n_seeds);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < n_runs; i++) {
        size_t share = i / n_seeds / USES, use = i / n_seeds % USES, s = i % n_seeds;
        if (share == 0 && use == TO_FFN) continue; /* nothing is saved */
        Gpt2Config config = config_of(share, use);
        Gpt2 *model = small_trained(&g->small, &config, seed + s);
        LossByPosition loss = small_ask(&g->small, model);
        g->runs[share][use][s] =
            (Run){loss_inside(&loss), params_count(&model->params)};
        gpt2_free(model);
#pragma omp critical
        progress_update(&progress, ++done, "%zu heads of keys", kv_heads(share));
    }
    progress_end(&progress);
    for (size_t s = 0; s < n_seeds; s++)
        g->runs[0][TO_FFN][s] = g->runs[0][LEFT_OUT][s];
}

/* Bytes of keys and values that a token leaves behind. */
static size_t cache_bytes(size_t share) {
    return 2 * LAYERS * kv_heads(share) * (WIDTH / QUERY_HEADS) * sizeof(float);
}

static void write_runs(const Groups *g, const char *directory) {
    Csv csv = csv_begin(directory, "groups",
                        "kv_heads,use,order,seed,parameters,cache,loss,minus_8");
    for (size_t i = 0; i < SHARES * USES; i++) {
        size_t share = i / USES, use = i % USES;
        printf("%zu heads of keys, %-11s %6zu numbers, %4zu bytes a token ",
               kv_heads(share), uses[use], g->runs[share][use][0].parameters,
               cache_bytes(share));
        for (size_t s = 0; s < g->small.n_seeds; s++) {
            const Run *run = &g->runs[share][use][s];
            double minus_all = run->loss - g->runs[0][use][s].loss;
            printf("  %.3f", run->loss);
            csv_row(&csv, "%zu,%s,%zu,%zu,%zu,%zu,%.6g,%.6g", kv_heads(share),
                    uses[use], use, s + 1, run->parameters, cache_bytes(share),
                    run->loss, minus_all);
        }
        putchar('\n');
    }
    csv_commit(&csv);
}

static double mean_cost(const Groups *g, size_t share, size_t use) {
    double sum = 0;
    for (size_t s = 0; s < g->small.n_seeds; s++)
        sum += g->runs[share][use][s].loss - g->runs[0][use][s].loss;
    return sum / (double)g->small.n_seeds;
}

static void check_runs(const Groups *g) {
    double most = 0, unequal = 0, n = (double)g->runs[0][TO_FFN][0].parameters;
    for (size_t share = 1; share < SHARES; share++) {
        most = fmax(most, fabs(mean_cost(g, share, TO_FFN)));
        unequal =
            fmax(unequal, fabs((double)g->runs[share][TO_FFN][0].parameters / n - 1));
    }
    claim(unequal < 0.01, "given to the FFN, the weights are as many to %.2f %%",
          100 * unequal);
    claim(most < 0.03, "and the loss is as it was to %.3f nats, a mean of the seeds",
          most);
}

void experiment_groups(const Settings *settings) {
    static Groups g;
    g.small = small_runs_begin(settings);
    run_all(&g, settings->seed);
    write_runs(&g, settings->out);
    check_runs(&g);
    small_runs_end(&g.small);
}
