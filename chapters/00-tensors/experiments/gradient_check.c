/* How well differences see a gradient: the error of a central difference against its
 * step, in float and in double. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/experiments/experiments.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "00-tensors/spiral_net.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "tensor/gradcheck.h"

enum {
    ROWS = 64,
    FEATURES = 8,
    OUTPUTS = 4,
    WEIGHTS = FEATURES * OUTPUTS,
    PROBLEMS = 8,
    STREAM_PROBLEM = 3,
    SEEDS = 3,
    MAX_HALVINGS = 44
};

/* Softmax regression: a smooth loss of WEIGHTS numbers, with derivatives that can be
 * written down. */
typedef struct {
    float x[ROWS * FEATURES];
    int classes[ROWS];
    double weights[WEIGHTS]; /* multiples of 1/64, so that adding a power of two is
                                exact, in float too */
} Problem;

static Problem problem_create(uint64_t seed, uint64_t number) {
    Problem p;
    Random random = random_stream(seed, STREAM_PROBLEM + number);
    random_fill_normal(&random, p.x, ROWS * FEATURES, 1.0f);
    for (size_t r = 0; r < ROWS; r++)
        p.classes[r] = (int)random_below(&random, OUTPUTS);
    for (size_t i = 0; i < WEIGHTS; i++)
        p.weights[i] = ((double)random_below(&random, 127) - 63) / 64;
    return p;
}

static double loss_in_double(const double *weights, size_t n, void *problem) {
    const Problem *p = problem;
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double logits[OUTPUTS] = {0};
        for (size_t i = 0; i < n; i++)
            logits[i % OUTPUTS] +=
                (double)p->x[r * FEATURES + i / OUTPUTS] * weights[i];
        sum += plain_cross_entropy(logits, OUTPUTS, (size_t)p->classes[r]);
    }
    return sum / ROWS;
}

/* The same by the kernels that training uses. */
static double loss_in_float(const double *weights, size_t n, void *problem) {
    const Problem *p = problem;
    float rounded[WEIGHTS], logits[ROWS * OUTPUTS], logsumexp[ROWS];
    for (size_t i = 0; i < n; i++) rounded[i] = (float)weights[i];
    Weight weight = weight_of_floats(rounded, FEATURES, OUTPUTS);
    linear_forward(logits, p->x, &weight, NULL, ROWS);
    return (double)cross_entropy_forward(logsumexp, logits, p->classes, ROWS, OUTPUTS);
}

/* dL/dw = mean of x (q - onehot) and its second derivative, mean of x^3 q (1 - q) (1 -
 * 2q), with the probabilities q. */
static void exact_derivatives(double *first, double *third, const Problem *p) {
    memset(first, 0, WEIGHTS * sizeof *first);
    memset(third, 0, WEIGHTS * sizeof *third);
    for (size_t r = 0; r < ROWS; r++) {
        double logits[OUTPUTS] = {0};
        for (size_t i = 0; i < WEIGHTS; i++) {
            logits[i % OUTPUTS] +=
                (double)p->x[r * FEATURES + i / OUTPUTS] * p->weights[i];
        }
        for (size_t i = 0; i < WEIGHTS; i++) {
            double x = (double)p->x[r * FEATURES + i / OUTPUTS],
                   q = exp_double(-plain_cross_entropy(logits, OUTPUTS, i % OUTPUTS));
            first[i] += x * (q - ((size_t)p->classes[r] == i % OUTPUTS)) / ROWS;
            third[i] += x * x * x * q * (1 - q) * (1 - 2 * q) / ROWS;
        }
    }
}

typedef struct {
    const char *name;
    ScalarFunction *loss;
    double unit;           /* the distance of two numbers just above 1 */
    size_t halvings;       /* h from 1/2 down to 2^-halvings */
    size_t right_end;      /* the slope +2 is fitted from 2^-1 to here */
    size_t left, left_end; /* and the slope -1 from here to here */
} Precision;

/* Root mean square errors, relative to the gradient's: measured, and the theory's
 * prediction of its two parts. */
typedef struct {
    double h, measured, truncation, rounding;
} ErrorAt;

static ErrorAt error_at(const Precision *precision, size_t halvings, uint64_t seed) {
    double h = 1 / power_double(2, halvings), errors = 0, truncations = 0,
           gradients = 0, rounding = 0;
    for (uint64_t number = 0; number < PROBLEMS; number++) {
        Problem p = problem_create(seed, number);
        double numeric[WEIGHTS], first[WEIGHTS], third[WEIGHTS];
        exact_derivatives(first, third, &p);
        /* Two losses, each off by a rounding spread evenly over one unit: unit /
         * sqrt(12) each. */
        double loss = precision->loss(p.weights, WEIGHTS, &p), unit = precision->unit;
        for (double power = 2; power <= loss; power *= 2) unit *= 2;
        rounding += unit * unit / 6 / (2 * h) / (2 * h) * WEIGHTS;
        numeric_gradient(numeric, precision->loss, p.weights, WEIGHTS, h, &p);
        for (size_t i = 0; i < WEIGHTS; i++) {
            errors += (numeric[i] - first[i]) * (numeric[i] - first[i]);
            truncations += h * h * third[i] / 6 * h * h * third[i] / 6;
            gradients += first[i] * first[i];
        }
    }
    return (ErrorAt){.h = h,
                     .measured = sqrt(errors / gradients),
                     .truncation = sqrt(truncations / gradients),
                     .rounding = sqrt(rounding / gradients)};
}

/* The numbers of one seed that the claims are about. */
typedef struct {
    double large_steps, small_steps; /* the exponents of the error against the step */
    double best, best_h;             /* the smallest error */
    ErrorAt middle;                  /* at the end of the large steps */
} Curve;

static Curve measure_curve(Csv *csv, const Precision *precision, uint64_t seed) {
    double h[MAX_HALVINGS], error[MAX_HALVINGS];
    Curve c = {.best = INFINITY};
    for (size_t k = 1; k <= precision->halvings; k++) {
        ErrorAt e = error_at(precision, k, seed);
        csv_row(csv, "%s,%llu,%.6g,%.6g,%.6g,%.6g", precision->name,
                (unsigned long long)seed, e.h, e.measured, e.truncation, e.rounding);
        h[k - 1] = e.h;
        error[k - 1] = e.measured;
        if (k == precision->right_end) c.middle = e;
        if (e.measured < c.best) {
            c.best = e.measured;
            c.best_h = e.h;
        }
    }
    c.large_steps = fit_exponent(h, error, precision->right_end);
    c.small_steps = fit_exponent(h + precision->left - 1, error + precision->left - 1,
                                 precision->left_end - precision->left + 1);
    return c;
}

/* The claims about all seeds, whose numbers are printed as ranges. */
static void claim_curves(const Precision *precision, const Curve *curves) {
    double large[2] = {INFINITY, -INFINITY}, small[2] = {INFINITY, -INFINITY}, off = 0;
    printf("%s: smallest error", precision->name);
    for (size_t s = 0; s < SEEDS; s++) {
        const Curve *c = &curves[s];
        large[0] = smaller(large[0], c->large_steps);
        large[1] = larger(large[1], c->large_steps);
        small[0] = smaller(small[0], c->small_steps);
        small[1] = larger(small[1], c->small_steps);
        off = larger(off, fabs(c->middle.measured / c->middle.truncation - 1));
        printf("%s %.1e at h = %.1e", s ? "," : "", c->best, c->best_h);
    }
    printf(" (%d seeds)\n", SEEDS);
    claim(large[0] > 1.9 && large[1] < 2.1,
          "large steps: error ~ h^%.2f to h^%.2f (theory 2, allowed 1.9 to 2.1)",
          large[0], large[1]);
    claim(off < 0.02, "h = %.1e: the error is h^2 f'''/6, within %.2f %% (2 %%)",
          curves[0].middle.h, 100 * off);
    claim(small[0] > -1.1 && small[1] < -0.9,
          "small steps: error ~ h^%.2f to h^%.2f (theory -1, allowed -1.1 to -0.9)",
          small[0], small[1]);
}

static const Precision precisions[] = {
    {.name = "float",
     .loss = loss_in_float,
     .unit = 0x1p-23,
     .halvings = 22,
     .right_end = 4,
     .left = 10,
     .left_end = 20},
    {.name = "double",
     .loss = loss_in_double,
     .unit = 0x1p-52,
     .halvings = MAX_HALVINGS,
     .right_end = 12,
     .left = 22,
     .left_end = 42},
};

void experiment_gradient_check(const Settings *settings) {
    Curve curves[2][SEEDS];
    Csv csv = csv_begin(settings->out, "gradient-check",
                        "precision,seed,h,error,truncation,rounding");
    Csv best =
        csv_begin(settings->out, "gradient-check-best", "precision,seed,h,error");
    for (size_t p = 0; p < 2; p++) {
        for (size_t s = 0; s < SEEDS; s++) {
            curves[p][s] = measure_curve(&csv, &precisions[p], settings->seed + s);
            csv_row(&best, "%s,%llu,%.6g,%.6g", precisions[p].name,
                    (unsigned long long)(settings->seed + s), curves[p][s].best_h,
                    curves[p][s].best);
        }
    }
    csv_commit(&csv);
    csv_commit(&best);
    for (size_t p = 0; p < 2; p++) claim_curves(&precisions[p], curves[p]);
}
