/* One switch of the block at a time, eight blocks deep: whether and how fast a small
 * task is learned. */
#include <math.h>
#include <stdio.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/variants.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { LAYERS = 8, MAX_SEEDS = 5, MAX_STEPS = 250, LAST = 20 };
enum { SCALED, UNSCALED, INITS };
static const char *const init_names[INITS] = {"scaled", "unscaled"};

typedef struct {
    size_t n_variants, n_seeds, n_steps;
    const Variant *variants;
    double end[INITS][MAX_VARIANTS][MAX_SEEDS]; /* the loss at the end */
    /* until the task is learned; n_steps: it is not */
    double steps[INITS][MAX_VARIANTS][MAX_SEEDS];
} Ablation;

/* The runs are small and have nothing to do with each other: each thread takes whole
 * runs. */
static void run_all(Ablation *a, uint64_t first_seed) {
    size_t each = a->n_variants * a->n_seeds, done = 0;
    Progress progress = progress_begin("ablation", INITS * each);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < INITS * each; run++) {
        size_t init = run / each, v = run % each / a->n_seeds, s = run % a->n_seeds;
        double losses[MAX_STEPS];
        AblationRun config = {.n_layer = LAYERS,
                              .scaled_init = init == SCALED,
                              .steps = a->n_steps,
                              .until_solved = true,
                              .seed = first_seed + s};
        size_t n = ablation_train(losses, &a->variants[v], &config);
        a->end[init][v][s] = mean_of_last(losses, n, LAST);
        a->steps[init][v][s] = (double)ablation_steps_to(losses, n, SOLVED);
#pragma omp critical
        progress_update(&progress, ++done, "%s", a->variants[v].name);
    }
    progress_end(&progress);
}

static bool solved(const Ablation *a, size_t init, size_t v, size_t s) {
    return a->steps[init][v][s] < (double)a->n_steps;
}

/* `row` is the variant's place in the figure, the full block at the top. */
static void write_runs(const Ablation *a, const char *directory) {
    Csv csv =
        csv_begin(directory, "ablation", "init,variant,row,seed,steps,solved,loss");
    for (size_t init = 0; init < INITS; init++) {
        for (size_t v = 0; v < a->n_variants; v++) {
            for (size_t s = 0; s < a->n_seeds; s++)
                csv_row(&csv, "%s,%s,%zu,%zu,%.0f,%d,%.6g", init_names[init],
                        a->variants[v].name, a->n_variants - v, s + 1,
                        a->steps[init][v][s], solved(a, init, v, s),
                        a->end[init][v][s]);
        }
    }
    csv_commit(&csv);
}

static size_t find_variant(const Ablation *a, const char *name) {
    return (size_t)(ablation_variant(name) - a->variants);
}

/* How many seeds learn the task. */
static size_t seeds_solved(const Ablation *a, size_t init, const char *name) {
    size_t n = 0, v = find_variant(a, name);
    for (size_t s = 0; s < a->n_seeds; s++) n += solved(a, init, v, s);
    return n;
}

/* Mean and standard deviation over the seeds of the steps that `name` takes more than
 * the full block. */
typedef struct {
    double mean, deviation;
    size_t slower, faster; /* seeds */
} Delay;

static Delay delay(const Ablation *a, size_t init, const char *name) {
    Delay d = {0};
    size_t v = find_variant(a, name), n = a->n_seeds;
    for (size_t s = 0; s < n; s++)
        d.mean += (a->steps[init][v][s] - a->steps[init][0][s]) / (double)n;
    for (size_t s = 0; s < n; s++) {
        double more = a->steps[init][v][s] - a->steps[init][0][s];
        d.deviation += (more - d.mean) * (more - d.mean) / (double)(n - 1);
        d.slower += more > 0;
        d.faster += more < 0;
    }
    d.deviation = sqrt(d.deviation);
    return d;
}

static void print_steps(const Ablation *a) {
    printf("%d blocks: steps to a loss of %g, for %zu seeds (-: not in %zu); scaled: "
           "the init of GPT-2\n%-17s",
           LAYERS, SOLVED, a->n_seeds, a->n_steps, "");
    for (size_t init = 0; init < INITS; init++)
        printf("  %*s", (int)(5 * a->n_seeds), init_names[init]);
    for (size_t v = 0; v < a->n_variants; v++) {
        printf("\n%-17s", a->variants[v].name);
        for (size_t init = 0; init < INITS; init++) {
            printf("  ");
            for (size_t s = 0; s < a->n_seeds; s++) {
                if (solved(a, init, v, s))
                    printf("%5.0f", a->steps[init][v][s]);
                else
                    printf("%5s", "-");
            }
        }
    }
    putchar('\n');
}

static void claim_seeds(const Ablation *a, size_t init, const char *name, bool all) {
    size_t n = seeds_solved(a, init, name);
    claim(n == (all ? a->n_seeds : 0),
          "%s init, %s: %zu of %zu seeds learn the task (%s)", init_names[init], name,
          n, a->n_seeds, all ? "all" : "none");
}

/* The smallest loss at the end, of all seeds. */
static double least_loss(const Ablation *a, size_t init, const char *name) {
    const double *end = a->end[init][find_variant(a, name)];
    double least = INFINITY;
    for (size_t s = 0; s < a->n_seeds; s++) least = smaller(least, end[s]);
    return least;
}

static void claim_parts(const Ablation *a, size_t init) {
    double least = least_loss(a, init, "no attention"), guess = ablation_guess();
    claim(least > 0.99 * guess,
          "%s init, no attention: %.3f or more in each seed, above 99 %% of a guess, "
          "%.3f",
          init_names[init], least, guess);
    Delay ffn = delay(a, init, "no FFN"), gate = delay(a, init, "SwiGLU"),
          rms = delay(a, init, "RMSNorm");
    claim(ffn.slower == a->n_seeds,
          "%s init, no FFN: slower for %zu of %zu seeds (all)", init_names[init],
          ffn.slower, a->n_seeds);
    claim(gate.faster == a->n_seeds,
          "%s init, SwiGLU with as many weights: faster for %zu of %zu seeds (all)",
          init_names[init], gate.faster, a->n_seeds);
    double error = rms.deviation / sqrt((double)a->n_seeds);
    claim(fabs(rms.mean) < 3 * error + 5,
          "%s init, RMSNorm: %+.1f steps with a standard error of %.1f, within 3 "
          "errors and 5 steps of 0",
          init_names[init], rms.mean, error);
}

void experiment_ablation(const Settings *settings) {
    static Ablation a;
    a.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    a.n_steps = settings->quick ? 150 : MAX_STEPS;
    a.n_variants = ablation_variants(&a.variants);
    run_all(&a, settings->seed);
    write_runs(&a, settings->out);
    print_steps(&a);
    for (size_t init = 0; init < INITS; init++) {
        claim_seeds(&a, init, "full", true);
        claim_seeds(&a, init, "no residual", false);
        claim_parts(&a, init);
    }
    claim_seeds(&a, SCALED, "no norm", true);
    claim_seeds(&a, UNSCALED, "no norm", false);
    double lost = least_loss(&a, UNSCALED, "no norm");
    claim(lost > ablation_guess(), "  and end at %.2f or more, above a guess, %.3f",
          lost, ablation_guess());
    claim_seeds(&a, UNSCALED, "post-LN", false);
    claim_seeds(&a, UNSCALED, "ReZero without norm", true);
}
