/* Nine FFNs with exactly the same number of weights, trained on the same batches of the
 * same language. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/language.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

/* The plain ones first; GELU is the exact one. ReLU^2 is in no family of the paper. */
static const FfnKind kinds[] = {FFN_RELU,         FFN_GELU_ERF, FFN_SILU,
                                FFN_RELU_SQUARED, FFN_GLU,      FFN_BILINEAR,
                                FFN_REGLU,        FFN_GEGLU,    FFN_SWIGLU};
enum { RELU, GELU, SILU, RELU_SQUARED, GLU, GEGLU = 7, SWIGLU, KINDS };
static const double rates[] = {0.003, 0.006, 0.012};
enum {
    RATES = 3,
    LOWER_RATES = 2,
    SEEDS = 8,
    QUICK_SEEDS = 2,
    D_FF = 192,
    STEPS = 1000,
    QUICK_STEPS = 60
};

typedef struct {
    size_t seeds;
    double loss[RATES][KINDS][SEEDS];
    size_t weights[KINDS];
} Trained;

static const char *family(size_t kind) {
    return ffn_is_gated(kinds[kind]) ? "gated"
           : kind == RELU_SQUARED    ? "other"
                                     : "plain";
}

static void train_all(Trained *trained, size_t steps, uint64_t first_seed) {
    Language language = language_create();
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < RATES * KINDS * trained->seeds; run++) {
        size_t r = run % RATES, k = run / RATES % KINDS, s = run / RATES / KINDS;
        size_t d_ff = ffn_is_gated(kinds[k]) ? ffn_gated_width(D_FF) : D_FF;
        ModelConfig config = {.kind = kinds[k],
                              .d_ff = d_ff,
                              .rate = (float)rates[r],
                              .steps = steps,
                              .seed = first_seed + s};
        Model m;
        model_train(&m, &language, &config, NULL, NULL);
        trained->loss[r][k][s] = model_loss(&m, &language);
        if (r == 0 && s == 0) trained->weights[k] = params_count(&m.params);
        model_free(&m);
    }
    language_free(&language);
}

/* The rate at which a kind has its lowest mean loss. */
static size_t best_rate(const Trained *trained, size_t kind) {
    size_t best = 0;
    double lowest = INFINITY;
    for (size_t r = 0; r < RATES; r++) {
        double mean = moments_of(trained->loss[r][kind], trained->seeds).mean;
        if (mean < lowest) {
            lowest = mean;
            best = r;
        }
    }
    return best;
}

/* The mean loss of the paper's plain kinds minus that of its gated ones, each kind at
 * its rate. */
static double gated_lead(const Trained *trained, const size_t rate_of[KINDS],
                         size_t seed) {
    double plain = 0, gated = 0;
    for (size_t k = RELU; k <= SILU; k++)
        plain += trained->loss[rate_of[k]][k][seed] / (SILU - RELU + 1);
    for (size_t k = GLU; k <= SWIGLU; k++)
        gated += trained->loss[rate_of[k]][k][seed] / (SWIGLU - GLU + 1);
    return plain - gated;
}

typedef struct {
    /* over the seeds; error: standard error of the mean */
    double mean, error, smallest;
} Lead;

static Lead lead_of(const Trained *trained, const size_t rate_of[KINDS]) {
    double lead[SEEDS], smallest = INFINITY;
    for (size_t s = 0; s < trained->seeds; s++) {
        lead[s] = gated_lead(trained, rate_of, s);
        smallest = smaller(smallest, lead[s]);
    }
    Moments m = moments_of(lead, trained->seeds);
    return (Lead){m.mean, m.deviation / sqrt((double)trained->seeds), smallest};
}

/* Kind a's loss minus kind b's with the same seed. */
static Moments difference(const Trained *trained, size_t rate, size_t a, size_t b) {
    double d[SEEDS];
    for (size_t s = 0; s < trained->seeds; s++)
        d[s] = trained->loss[rate][a][s] - trained->loss[rate][b][s];
    return moments_of(d, trained->seeds);
}

static void write_losses(const Settings *settings, const Trained *trained) {
    Csv csv = csv_begin(settings->out, "nine-ffns",
                        "rate,kind,family,weights,seed,loss,minus_mean");
    printf("loss on new places, mean and deviation over %zu seeds; minus the mean of "
           "the nine, same seed\n",
           trained->seeds);
    for (size_t r = 0; r < RATES; r++) {
        for (size_t k = 0; k < KINDS; k++) {
            double relative[SEEDS];
            for (size_t s = 0; s < trained->seeds; s++) {
                double mean = 0;
                for (size_t other = 0; other < KINDS; other++)
                    mean += trained->loss[r][other][s] / KINDS;
                relative[s] = trained->loss[r][k][s] - mean;
                csv_row(&csv, "%g,%s,%s,%zu,%zu,%.6g,%.6g", rates[r],
                        ffn_name(kinds[k]), family(k), trained->weights[k],
                        (size_t)settings->seed + s, trained->loss[r][k][s],
                        relative[s]);
            }
            Moments loss = moments_of(trained->loss[r][k], trained->seeds),
                    paired = moments_of(relative, trained->seeds);
            printf("rate %g  %-5s %-9s %.4f +- %.4f   %+.4f +- %.4f\n", rates[r],
                   family(k), ffn_name(kinds[k]), loss.mean, loss.deviation,
                   paired.mean, paired.deviation);
        }
    }
    csv_commit(&csv);
}

static void claim_families(const Trained *trained) {
    size_t rate_of[KINDS];
    for (size_t r = 0; r < RATES; r++) {
        for (size_t k = 0; k < KINDS; k++) rate_of[k] = r;
        Lead lead = lead_of(trained, rate_of);
        claim(lead.mean > 2 * lead.error,
              "rate %g: the gated family is ahead by %.4f, %.1f standard errors (above "
              "2)",
              rates[r], lead.mean, lead.mean / lead.error);
        if (r >= LOWER_RATES) continue;
        claim(lead.smallest > 0, "rate %g: and in each seed, by %.4f or more (above 0)",
              rates[r], lead.smallest);
    }
    for (size_t k = 0; k < KINDS; k++) rate_of[k] = best_rate(trained, k);
    Lead lead = lead_of(trained, rate_of);
    claim(lead.mean > 2 * lead.error,
          "each kind at its own best rate: the gated family is ahead by %.4f, %.1f "
          "standard errors (above 2)",
          lead.mean, lead.mean / lead.error);
}

/* Not every member is ahead, and some tie, as long as the rate is not above its
 * best. */
static void claim_members(const Trained *trained, size_t rate) {
    double root = sqrt((double)trained->seeds);
    Moments glu = difference(trained, rate, GLU, GELU),
            swiglu = difference(trained, rate, SWIGLU, GEGLU);
    claim(glu.mean > -2 * glu.deviation / root,
          "rate %g: GLU is not ahead of GELU: %+.4f, standard error %.4f (above -2 of "
          "them)",
          rates[rate], glu.mean, glu.deviation / root);
    claim(fabs(swiglu.mean) < 3 * swiglu.deviation / root,
          "rate %g: SwiGLU and GEGLU tie: %+.4f, standard error %.4f (below 3 of them)",
          rates[rate], swiglu.mean, swiglu.deviation / root);
}

void experiment_nine_ffns(const Settings *settings) {
    Trained trained = {.seeds = settings->quick ? QUICK_SEEDS : SEEDS};
    train_all(&trained, settings->quick ? QUICK_STEPS : STEPS, settings->seed);
    write_losses(settings, &trained);
    size_t equal = 0;
    for (size_t k = 0; k < KINDS; k++)
        equal += trained.weights[k] == trained.weights[RELU];
    claim(equal == KINDS, "%zu of %d models have %zu weights", equal, KINDS,
          trained.weights[RELU]);
    claim_families(&trained);
    for (size_t r = 0; r < LOWER_RATES; r++) claim_members(&trained, r);
    double root = sqrt((double)trained.seeds);
    Moments inside = difference(&trained, 0, GLU, SWIGLU),
            squared = difference(&trained, 0, RELU, RELU_SQUARED);
    claim(inside.mean > 3 * inside.deviation / root,
          "rate %g: GLU is behind SwiGLU by %.4f, %.1f standard errors (above 3)",
          rates[0], inside.mean, inside.mean / inside.deviation * root);
    claim(squared.mean > 2 * squared.deviation / root,
          "rate %g: ReLU is behind ReLU^2 by %.4f, %.1f standard errors (above 2)",
          rates[0], squared.mean, squared.mean / squared.deviation * root);
}
