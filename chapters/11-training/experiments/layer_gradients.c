/* Gradient norm of each block while one model trains: the norm inside the residual
 * branch, and behind it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { BLOCKS = 6, STEPS = 150, EARLY = 20, PLACEMENTS = 2 };
static const Placement placements[PLACEMENTS] = {PRE_LN, POST_LN};
static const char *const names[PLACEMENTS] = {"pre", "post"};

typedef struct {
    double norm[STEPS][BLOCKS], validation;
    /* step 1: a gradient of the first block over that of the second */
    double weight, bias, ffn_bias;
} GradientRun;

typedef struct {
    size_t n_seeds, n_steps;
    GradientRun run[PLACEMENTS][RUN_SEEDS];
} Gradients;

static double first_over_second(const Trainer *t, const char *parameter) {
    double norm[2];
    for (size_t b = 0; b < 2; b++) {
        char name[40];
        snprintf(name, sizeof name, "h.%zu.%s", b, parameter);
        norm[b] = tensor_grad_norm(params_find(&t->model->params, name));
    }
    return norm[0] / norm[1];
}

static void train(Gradients *g, const Language *l, size_t p, size_t k, uint64_t seed) {
    TrainSettings s = language_settings(l, BLOCKS, 64, 8, g->n_steps, 0.0015, seed);
    s.model.block.placement = placements[p];
    s.warmup = 20;
    Trainer t = trainer_create(&s, &l->data, NULL);
    GradientRun *run = &g->run[p][k];
    trainer_step(&t);
    run->weight = first_over_second(&t, "attn.c_proj.weight");
    run->bias = first_over_second(&t, "attn.c_proj.bias");
    run->ffn_bias = first_over_second(&t, "mlp.c_proj.bias");
    train_to_end(&t);
    for (size_t i = 0; i < g->n_steps; i++) {
        for (size_t b = 0; b < BLOCKS; b++)
            run->norm[i][b] = (double)t.block_norms[i * BLOCKS + b];
    }
    run->validation = trainer_validate(&t, 0);
    trainer_free(&t);
}

/* The largest block's gradient over the smallest's, at one step. */
static double spread(const GradientRun *run, size_t step) {
    double low = INFINITY, high = 0;
    for (size_t b = 0; b < BLOCKS; b++) {
        low = smaller(low, run->norm[step - 1][b]);
        high = larger(high, run->norm[step - 1][b]);
    }
    return high / low;
}

/* The geometric mean over the steps. */
static double usual_spread(const GradientRun *run, size_t steps) {
    double x[STEPS];
    for (size_t i = 0; i < steps; i++) x[i] = spread(run, i + 1);
    return geometric_mean(x, steps);
}

/* A block's gradient norm at step EARLY, relative to that of step 1. */
static double left(const GradientRun *run, size_t block) {
    return run->norm[EARLY - 1][block] / run->norm[0][block];
}

static void write_norms(const Gradients *g, const char *directory) {
    Csv csv =
        csv_begin(directory, "layer-gradients", "placement,block,step,mean,low,high");
    Csv ends = csv_begin(directory, "layer-gradients-end",
                         "placement,seed,first_spread,early_spread,usual_spread,last_"
                         "spread,block_0_left,"
                         "block_4_left,weight,bias,ffn_bias,validation");
    for (size_t p = 0; p < PLACEMENTS; p++) {
        for (size_t b = 0; b < BLOCKS; b++) {
            for (size_t i = 0; i < g->n_steps; i++) {
                double x[RUN_SEEDS], low = INFINITY, high = 0;
                for (size_t k = 0; k < g->n_seeds; k++) {
                    x[k] = g->run[p][k].norm[i][b];
                    low = smaller(low, x[k]);
                    high = larger(high, x[k]);
                }
                csv_row(&csv, "%s,%zu,%zu,%.6g,%.6g,%.6g", names[p], b, i + 1,
                        geometric_mean(x, g->n_seeds), low, high);
            }
        }
        for (size_t k = 0; k < g->n_seeds; k++) {
            const GradientRun *run = &g->run[p][k];
            csv_row(&ends, "%s,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                    names[p], k + 1, spread(run, 1), spread(run, EARLY),
                    usual_spread(run, g->n_steps), spread(run, g->n_steps),
                    left(run, 0), left(run, 4), run->weight, run->bias, run->ffn_bias,
                    run->validation);
        }
    }
    csv_commit(&csv);
    csv_commit(&ends);
}

static void print_runs(const Gradients *g) {
    printf("  largest block's gradient over the smallest's; what is left of block 0's "
           "and 4's at step %d\n"
           "  seed          step 1  step %d  usually   block 0  block 4   validation\n",
           EARLY, EARLY);
    for (size_t p = 0; p < PLACEMENTS; p++) {
        for (size_t k = 0; k < g->n_seeds; k++) {
            const GradientRun *run = &g->run[p][k];
            printf("  %4zu  %4s-LN %7.1f %8.1f %8.1f %9.2f %8.2f %12.3f\n", k + 1,
                   names[p], spread(run, 1), spread(run, EARLY),
                   usual_spread(run, g->n_steps), left(run, 0), left(run, 4),
                   run->validation);
        }
    }
}

static void claim_gradients(const Gradients *g) {
    double even = 0, uneven = INFINITY, gap = INFINITY, lead = INFINITY,
           pre_left = INFINITY, post_left = 0, off = 0;
    for (size_t k = 0; k < g->n_seeds; k++) {
        const GradientRun *pre = &g->run[0][k], *post = &g->run[1][k];
        even = larger(even, spread(pre, 1));
        uneven = smaller(uneven, spread(post, 1));
        off = larger(off, fabs(post->bias * 0.02 * sqrt(2) - 1));
        gap = smaller(gap,
                      usual_spread(post, g->n_steps) / usual_spread(pre, g->n_steps));
        pre_left = smaller(pre_left, left(pre, 0));
        post_left = larger(post_left, left(post, 0));
        lead = smaller(lead, post->validation - pre->validation);
    }
    claim(even < 2 && uneven > 10,
          "at step 1 pre-LN's blocks are within a factor of %.1f (below 2), post-LN's "
          "%.0f apart (above 10)",
          even, uneven);
    claim(off < 0.1,
          "post-LN, step 1: in front of the first norm a bias has 1 / (0.02 sqrt 2) = "
          "35.4 times the next "
          "block's "
          "gradient, within %.0f %%, allowed 10",
          100 * off);
    claim(gap > 1.5,
          "over the run post-LN's are %.1f times as far apart or more, above 1.5", gap);
    claim(post_left < 0.1 && pre_left > 0.2,
          "at step %d block 0 has %.2f of its gradient or less in post-LN (below 0.1), "
          "%.2f or more in pre-LN "
          "(above 0.2)",
          EARLY, post_left, pre_left);
    claim(lead > 0.1,
          "pre-LN's validation loss is %.2f or more below post-LN's, above 0.1", lead);
}

void experiment_layer_gradients(const Settings *settings) {
    static Gradients g;
    g.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    g.n_steps = settings->quick ? EARLY : STEPS;
    Language l = language_create(settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < PLACEMENTS * g.n_seeds; run++) {
        train(&g, &l, run / g.n_seeds, run % g.n_seeds,
              settings->seed + run % g.n_seeds);
    }
    write_norms(&g, settings->out);
    print_runs(&g);
    claim_gradients(&g);
    language_free(&l);
}
