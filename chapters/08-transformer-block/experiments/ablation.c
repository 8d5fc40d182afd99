/* One switch of the block at a time: how fast a small task is learned. */
#include <stdio.h>
#include <string.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/variants.h"
#include "claim.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "progress.h"

enum { MAX_VARIANTS = 16, MAX_SEEDS = 5, MAX_STEPS = 400, EVERY = 10 };

typedef struct {
    size_t n_variants, n_seeds, n_steps;
    const Variant *variants;
    double losses[MAX_VARIANTS][MAX_SEEDS][MAX_STEPS];
    double curve[MAX_VARIANTS][MAX_STEPS]; /* the mean over the seeds */
    double steps[MAX_VARIANTS][MAX_SEEDS]; /* until the task is learned */
} Ablation;

/* The runs are small and have nothing to do with each other: each thread takes whole runs. */
static void run_all(Ablation *a, uint64_t first_seed) {
    size_t n_runs = a->n_variants * a->n_seeds, done = 0;
    Progress progress = progress_begin("ablation", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t v = run / a->n_seeds, s = run % a->n_seeds;
        ablation_train(a->losses[v][s], &a->variants[v], a->n_steps, first_seed + s);
        a->steps[v][s] = (double)ablation_steps_to(a->losses[v][s], a->n_steps, SOLVED);
#pragma omp critical
        progress_update(&progress, ++done, "%s", a->variants[v].name);
    }
    progress_end(&progress);
    for (size_t v = 0; v < a->n_variants; v++) {
        for (size_t s = 0; s < a->n_seeds; s++) {
            for (size_t i = 0; i < a->n_steps; i++) a->curve[v][i] += a->losses[v][s][i] / (double)a->n_seeds;
        }
    }
}

static void write_curves(const Ablation *a, const char *directory) {
    Csv csv = csv_begin(directory, "08-ablation", "variant,step,loss");
    for (size_t v = 0; v < a->n_variants; v++) {
        for (size_t i = EVERY; i <= a->n_steps; i += EVERY) {
            csv_row(&csv, "%s,%zu,%.6g", a->variants[v].name, i, mean_of_last(a->curve[v], i, EVERY));
        }
    }
    csv_commit(&csv);
}

static size_t find_variant(const Ablation *a, const char *name) {
    for (size_t v = 0; v < a->n_variants; v++) {
        if (strcmp(a->variants[v].name, name) == 0) return v;
    }
    die("no variant '%s'", name);
}

/* In how many of the seeds variant `slow` takes longer than variant `fast`. */
static size_t times_slower(const Ablation *a, const char *slow, const char *fast) {
    size_t n = 0, v = find_variant(a, slow), w = find_variant(a, fast);
    for (size_t s = 0; s < a->n_seeds; s++) n += a->steps[v][s] > a->steps[w][s];
    return n;
}

void experiment_ablation(const Settings *settings) {
    static Ablation a;
    a.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    a.n_steps = settings->quick ? 250 : MAX_STEPS;
    a.n_variants = ablation_variants(&a.variants);
    run_all(&a, settings->seed);
    write_curves(&a, settings->out);
    printf("%-18s steps to a loss of %g, for %zu seeds (%zu: not reached)\n", "", SOLVED, a.n_seeds,
           a.n_steps);
    for (size_t v = 0; v < a.n_variants; v++) {
        printf("%-18s", a.variants[v].name);
        for (size_t s = 0; s < a.n_seeds; s++) printf(" %5.0f", a.steps[v][s]);
        putchar('\n');
    }
    const double *alone = a.curve[find_variant(&a, "no attention")];
    double end = mean_of_last(alone, a.n_steps, 50), guess = ablation_guess();
    claim(end > 0.99 * guess, "without attention the loss stays at a guess: %.3f of %.3f (more than 99 %%)",
          end, guess);
    size_t all = a.n_seeds, ffn = times_slower(&a, "no FFN", "full"),
           sum = times_slower(&a, "no residual", "full");
    size_t gate = times_slower(&a, "full", "SwiGLU");
    claim(ffn == all, "without the FFN it takes longer for %zu of %zu seeds (all)", ffn, all);
    claim(sum == all, "without residual connections it takes longer for %zu of %zu seeds (all)", sum, all);
    claim(gate == all, "SwiGLU with as many weights is faster than GELU for %zu of %zu seeds (all)", gate,
          all);
}
