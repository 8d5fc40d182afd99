/* Gradient clipping: the effect of a limit on the length and on the direction of a
 * step, and a run that diverges without it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

/* Rules of clipping: by the norm of all gradients together (Pascanu et al. 2013), or
 * each number for itself. */
typedef enum { BY_NORM, BY_VALUE, RULES } Rule;
static const char *const rule_names[RULES] = {"norm", "value"};

static double length(const float *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

//> clip
static void clip(float *gradient, size_t n, Rule rule, double limit) {
    double norm = length(gradient, n);
    float factor = norm > limit ? (float)(limit / norm) : 1.0f, most = (float)limit;
    for (size_t i = 0; i < n; i++) {
        float g = gradient[i];
        if (rule == BY_NORM) {
            g *= factor;
        } else if (g > most) {
            g = most;
        } else if (g < -most) {
            g = -most;
        }
        gradient[i] = g;
    }
}
//< clip

/* --- length and direction --- */

enum { LAYERS = 12, STEPS = 200, LIMITS = 5 };

/* A limit is this share of the gradient's norm at the step, or of its largest
 * number. */
static const double limits[LIMITS] = {1, 0.3, 0.1, 0.03, 0.01};

/* A clipped gradient beside the whole one, the mean over the steps: its share of the
 * length, and the cosine of the two. */
typedef struct {
    double length[RULES][LIMITS], cosine[RULES][LIMITS];
} Geometry;

static void watch_geometry(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    (void)step;
    (void)loss;
    Geometry *g = run->context;
    const float *whole = run->params->grads;
    size_t n = run->params->n_grads;
    float *clipped = checked_alloc(n, sizeof *clipped);
    double norm = length(whole, n), most = 0;
    for (size_t i = 0; i < n; i++) most = larger(most, fabs((double)whole[i]));
    for (Rule rule = 0; rule < RULES; rule++) {
        for (size_t j = 0; j < LIMITS; j++) {
            memcpy(clipped, whole, n * sizeof *clipped);
            clip(clipped, n, rule, limits[j] * (rule == BY_NORM ? norm : most));
            double dot = 0, left = length(clipped, n);
            for (size_t i = 0; i < n; i++) dot += (double)whole[i] * (double)clipped[i];
            g->length[rule][j] += left / norm / (double)run->steps;
            g->cosine[rule][j] += dot / norm / left / (double)run->steps;
        }
    }
    free(clipped);
}

static void measure_geometry(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "clip-direction",
                        "rule,limit,length,cosine,lowest_cosine");
    Geometry of[RUN_SEEDS] = {0};
    for (size_t k = 0; k < seeds; k++) {
        run_train(&(Run){.scheme = &schemes[PRE],
                         .depth = LAYERS,
                         .steps = settings->quick ? STEPS / 10 : STEPS,
                         .rate = 0.002,
                         .seed = settings->seed + k,
                         .on_step = watch_geometry,
                         .context = &of[k]});
    }
    double lowest[RULES] = {1, 1};
    printf("  limit, in the size of the gradient:   ");
    for (size_t j = 0; j < LIMITS; j++) printf(" %6g", limits[j]);
    for (Rule rule = 0; rule < RULES; rule++) {
        double share[LIMITS], cosine[LIMITS];
        for (size_t j = 0; j < LIMITS; j++) {
            double low = 1;
            share[j] = cosine[j] = 0;
            for (size_t k = 0; k < seeds; k++) {
                share[j] += of[k].length[rule][j] / (double)seeds;
                cosine[j] += of[k].cosine[rule][j] / (double)seeds;
                low = smaller(low, of[k].cosine[rule][j]);
            }
            lowest[rule] = smaller(lowest[rule], low);
            csv_row(&csv, "%s,%g,%.6g,%.6g,%.6g", rule_names[rule], limits[j], share[j],
                    cosine[j], low);
        }
        printf("\n  by %-6s what is left of its length  ", rule_names[rule]);
        for (size_t j = 0; j < LIMITS; j++) printf(" %6.3f", share[j]);
        printf("\n            cosine to the whole         ");
        for (size_t j = 0; j < LIMITS; j++) printf(" %6.3f", cosine[j]);
    }
    putchar('\n');
    csv_commit(&csv);
    claim(
        lowest[BY_NORM] > 1 - 1e-6,
        "clipped by norm, a gradient keeps its direction: the cosine is 1 within 1e-6");
    claim(lowest[BY_VALUE] < 0.9,
          "clipped by value it turns: a cosine of %.2f, below 0.9", lowest[BY_VALUE]);
}

/* --- a run that diverges --- */

enum { DESCENT_LAYERS = 8, DESCENT_STEPS = 600 };
static const double descent_rate = 0.05, descent_limit = 1;

typedef struct {
    Csv *csv; /* NULL: no lines */
    bool clipped;
    size_t lost; /* the first step whose loss is no number; 0: none */
    double largest;
} Descent;

/* SGD. The Adam of the training stands still: its rate is 0. */
static void descend(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    Descent *d = run->context;
    double norm = length(run->params->grads, run->params->n_grads);
    if (!d->lost && !(isfinite(loss) && isfinite(norm))) d->lost = step;
    if (!d->lost) d->largest = larger(d->largest, norm);
    if (d->csv && !d->lost)
        csv_row(d->csv, "%s,%zu,%.6g,%.6g", d->clipped ? "clipped" : "free", step,
                (double)loss, norm);
    if (d->clipped)
        clip(run->params->grads, run->params->n_grads, BY_NORM, descent_limit);
    sgd_step(run->params, (float)descent_rate);
}

static void measure_descent(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "clip-descent", "run,step,loss,norm");
    double guess = teacher_guess_loss(WIDTH, CLASSES), worst = -INFINITY;
    size_t lost = 0;
    for (size_t clipped = 0; clipped < 2; clipped++) {
        for (size_t k = 0; k < seeds; k++) {
            Descent d = {.csv = k ? NULL : &csv, .clipped = clipped};
            double loss = run_train(&(Run){.scheme = &schemes[PLAIN],
                                           .depth = DESCENT_LAYERS,
                                           .steps = DESCENT_STEPS,
                                           .rate = 0,
                                           .seed = settings->seed + k,
                                           .on_step = descend,
                                           .context = &d});
            printf("  %s: largest gradient %.3g, ",
                   clipped ? "clipped to 1" : "not clipped ", d.largest);
            if (d.lost)
                printf("no number from step %zu\n", d.lost);
            else
                printf("loss %.3f\n", loss);
            if (clipped)
                worst = larger(worst, loss);
            else
                lost += d.lost != 0;
        }
    }
    csv_commit(&csv);
    claim(lost == seeds, "not clipped, %zu of %zu runs end in no number", lost, seeds);
    claim(
        worst < guess - 0.1,
        "clipped, the worst of them reaches %.3f, more than 0.1 below guessing (%.3f)",
        worst, guess);
}

/* --- a limit below every gradient, under Adam --- */

enum { ADAM_LIMITS = 3, ADAM_STEPS = 400 };
static const double adam_limits[ADAM_LIMITS] = {INFINITY, 0.1, 0.01};

typedef struct {
    double limit;
    size_t over; /* steps whose gradient is longer */
} Limited;

static void limit_step(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    (void)step;
    (void)loss;
    Limited *l = run->context;
    l->over += length(run->params->grads, run->params->n_grads) > l->limit;
    clip(run->params->grads, run->params->n_grads, BY_NORM, l->limit);
}

/* Adam divides by the size of the gradients that it has seen: gradients of the same
 * length at every step may as well be ten times as long. */
static void measure_adam(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "clip-adam", "limit,seed,over,loss");
    double free_loss[RUN_SEEDS], most = 0;
    for (size_t j = 0; j < ADAM_LIMITS; j++) {
        for (size_t k = 0; k < seeds; k++) {
            size_t steps = settings->quick ? ADAM_STEPS / 10 : ADAM_STEPS;
            Limited l = {.limit = adam_limits[j]};
            double loss = run_train(&(Run){.scheme = &schemes[PRE],
                                           .depth = DESCENT_LAYERS,
                                           .steps = steps,
                                           .rate = 0.002,
                                           .seed = settings->seed + k,
                                           .on_step = limit_step,
                                           .context = &l});
            if (j == 0) free_loss[k] = loss;
            most = larger(most, fabs(loss - free_loss[k]));
            double over = (double)l.over / (double)steps;
            csv_row(&csv, "%g,%zu,%.6g,%.6g", adam_limits[j], k + 1, over, loss);
            printf(
                "  Adam, limit %-4g: %3.0f %% of the gradients are longer, loss %.3f\n",
                adam_limits[j], 100 * over, loss);
        }
    }
    csv_commit(&csv);
    claim(most < 0.1,
          "under Adam no limit moves a seed's loss by more than %.3f (below 0.1)",
          most);
}

void experiment_clipping(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    measure_geometry(settings, seeds);
    measure_descent(settings, seeds);
    measure_adam(settings, seeds);
}
