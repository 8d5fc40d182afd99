/* Why eight blocks learn or do not: the gradient of every sublayer before training and
 * after twenty steps. */
#include <math.h>
#include <stdio.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/variants.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { LAYERS = 8, SUBLAYERS = 2 * LAYERS, MAX_SEEDS = 5, STEPS = 21 };
enum { PRE, POST, NO_NORM, N_VARIANTS };
enum { UNSCALED, SCALED };
enum { AT_START, AFTER, MOMENTS };

static const char *const names[N_VARIANTS] = {"full", "post-LN", "no norm"};
static const size_t moments[MOMENTS] = {0, STEPS - 1};

/* [variant][scaled][moment][sublayer][seed] */
typedef struct {
    size_t n_seeds;
    double norms[N_VARIANTS][2][MOMENTS][SUBLAYERS][MAX_SEEDS];
} Gradients;

typedef struct {
    double (*norms)[SUBLAYERS][MAX_SEEDS]; /* [moment][sublayer][seed] */
    size_t seed;
} Watch;

/* The gradient norms of the matrices by which the sublayers write to the stream:
 * attention, FFN, attention, ... */
static void watch(void *context, const SmallModel *m, size_t step) {
    const Watch *w = context;
    for (size_t i = 0; i < MOMENTS; i++) {
        if (step != moments[i]) continue;
        for (size_t l = 0; l < LAYERS; l++) {
            w->norms[i][2 * l][w->seed] =
                tensor_grad_norm(m->blocks[l].attn.c_proj.weight);
            w->norms[i][2 * l + 1][w->seed] =
                tensor_grad_norm(m->blocks[l].mlp.down.weight);
        }
    }
}

static void write_norms(const Gradients *g, const char *directory) {
    Csv csv = csv_begin(directory, "sublayer-gradients",
                        "variant,init,step,sublayer,gradient,low,high");
    for (size_t v = 0; v < N_VARIANTS; v++) {
        for (size_t scaled = 0; scaled < 2; scaled++) {
            for (size_t i = 0; i < MOMENTS * SUBLAYERS; i++) {
                const double *of = g->norms[v][scaled][i / SUBLAYERS][i % SUBLAYERS];
                double low = INFINITY, high = 0;
                for (size_t s = 0; s < g->n_seeds; s++) {
                    low = smaller(low, of[s]);
                    high = larger(high, of[s]);
                }
                csv_row(&csv, "%s,%s,%zu,%zu,%.6g,%.6g,%.6g", names[v],
                        scaled ? "scaled" : "unscaled", moments[i / SUBLAYERS],
                        i % SUBLAYERS + 1, geometric_mean(of, g->n_seeds), low, high);
            }
        }
    }
    csv_commit(&csv);
}

/* The first FFN's gradient in the last FFN's, the geometric mean over the seeds. */
static double first_in_last(const Gradients *g, size_t v, size_t scaled,
                            size_t moment) {
    return geometric_mean(g->norms[v][scaled][moment][1], g->n_seeds) /
           geometric_mean(g->norms[v][scaled][moment][SUBLAYERS - 1], g->n_seeds);
}

void experiment_sublayer_gradients(const Settings *settings) {
    static Gradients g;
    g.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    for (size_t v = 0; v < N_VARIANTS; v++) {
        for (size_t scaled = 0; scaled < 2; scaled++) {
#pragma omp parallel for schedule(dynamic)
            for (size_t s = 0; s < g.n_seeds; s++) {
                double losses[STEPS];
                Watch w = {g.norms[v][scaled], s};
                AblationRun run = {.n_layer = LAYERS,
                                   .scaled_init = scaled,
                                   .steps = STEPS,
                                   .seed = settings->seed + s,
                                   .on_step = watch,
                                   .context = &w};
                ablation_train(losses, ablation_variant(names[v]), &run);
            }
        }
    }
    write_norms(&g, settings->out);
    printf(
        "%-10s %-10s first FFN's gradient in the last one's: at step 0, at step %d\n",
        "", "init", STEPS - 1);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        for (size_t scaled = 2; scaled-- > 0;)
            printf("%-10s %-10s %12.3g %12.3g\n", names[v],
                   scaled ? "scaled" : "unscaled",
                   first_in_last(&g, v, scaled, AT_START),
                   first_in_last(&g, v, scaled, AFTER));
    }
    double level = first_in_last(&g, POST, UNSCALED, AT_START),
           lost = first_in_last(&g, POST, UNSCALED, AFTER);
    double pre = first_in_last(&g, PRE, UNSCALED, AFTER),
           scaled = first_in_last(&g, POST, SCALED, AFTER);
    double size = geometric_mean(g.norms[NO_NORM][UNSCALED][AT_START][1], g.n_seeds) /
                  geometric_mean(g.norms[PRE][UNSCALED][AT_START][1], g.n_seeds);
    claim(level > 0.5 && level < 2,
          "post-LN, unscaled: level at first: first/last %.2f, between 0.5 and 2",
          level);
    claim(lost < 0.05, "  after %d steps the first is %.1g of the last, below 0.05",
          STEPS - 1, lost);
    claim(scaled > 2 * lost, "  with scaled init %.2g, more than twice as much",
          scaled);
    claim(pre > 0.3, "pre-LN, unscaled: after %d steps %.2f, above 0.3", STEPS - 1,
          pre);
    claim(size > 100,
          "no norm, unscaled: the first FFN's gradient is %.0f times the pre-LN "
          "block's, above 100",
          size);
}
