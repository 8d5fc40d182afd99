/* The variance of numbers far from zero, in single precision: five ways to compute it,
 * and how their errors grow with the offset. */
#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "01-layernorm-vs-batchnorm/welford.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/random.h"

/* --- the ways --- */

//> one_pass
/* mean(x^2) - mean(x)^2: right on paper. */
static float one_pass(const float *x, size_t n) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    float mean = sum / (float)n;
    return squares / (float)n - mean * mean;
}
//< one_pass

//> kahan
/* Kahan's sum: `lost` is the rounding error of the last addition, and is given to the
 * next one. */
typedef struct {
    float sum, lost;
} KahanSum;

static void kahan_add(KahanSum *s, float x) {
    float corrected = x - s->lost, sum = s->sum + corrected;
    s->lost = (sum - s->sum) - corrected;
    s->sum = sum;
}
//< kahan

static float one_pass_kahan(const float *x, size_t n) {
    KahanSum sum = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) {
        kahan_add(&sum, x[i]);
        kahan_add(&squares, x[i] * x[i]);
    }
    float mean = sum.sum / (float)n;
    return squares.sum / (float)n - mean * mean;
}

static float two_passes(const float *x, size_t n) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    float mean = sum / (float)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    return squares / (float)n;
}

static float two_passes_kahan(const float *x, size_t n) {
    KahanSum sum = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) kahan_add(&sum, x[i]);
    float mean = sum.sum / (float)n;
    for (size_t i = 0; i < n; i++) kahan_add(&squares, (x[i] - mean) * (x[i] - mean));
    return squares.sum / (float)n;
}

static float welford(const float *x, size_t n) {
    WelfordStats s = {0};
    for (size_t i = 0; i < n; i++) welford_update(&s, x[i]);
    return welford_variance(&s, false);
}

/* The reference for the others: two passes in double, on the same floats. */
static double in_double(const float *x, size_t n) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += (double)x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += ((double)x[i] - mean) * ((double)x[i] - mean) / (double)n;
    return variance;
}

enum { ONE_PASS, ONE_PASS_KAHAN, WELFORD, TWO_PASSES, TWO_PASSES_KAHAN, WAYS };
static float (*const ways[WAYS])(const float *, size_t) = {
    one_pass, one_pass_kahan, welford, two_passes, two_passes_kahan};
static const char *const way_names[WAYS] = {"one pass", "one pass with Kahan's sums",
                                            "Welford", "two passes",
                                            "two passes with Kahan's sums"};

static void draw(float *x, size_t n, double offset, Random *random) {
    for (size_t i = 0; i < n; i++) x[i] = (float)(offset + random_normal(random));
}

void show_variances(const Settings *settings) {
    enum { N = 1000 };
    printf("\nvariance of %d numbers, offset + N(0, 1), in single precision\n", N);
    printf("offset   one pass      Welford   two passes    in double\n");
    for (double offset = 0; offset <= 100000; offset = offset > 0 ? 10 * offset : 100) {
        float x[N];
        Random random = random_stream(settings->seed, STREAM_SAMPLE);
        draw(x, N, offset, &random);
        printf("%6g %10.5f   %10.5f   %10.5f   %10.5f\n", offset,
               (double)one_pass(x, N), (double)welford(x, N), (double)two_passes(x, N),
               in_double(x, N));
    }
}

/* --- experiment: the error against the offset --- */

/* offsets of 1, 4, 16 ... 4^10 = 1048576 deviations */
enum { ROW = 768, OFFSETS = 11, SEEDS = 5 };

/* Root mean square of the relative errors over `draws` rows. */
static void measure_errors(double errors[WAYS], double offset, size_t draws,
                           uint64_t seed) {
    double squares[WAYS] = {0};
    Random random = random_stream(seed, STREAM_SAMPLE);
    for (size_t d = 0; d < draws; d++) {
        float x[ROW];
        draw(x, ROW, offset, &random);
        double right = in_double(x, ROW);
        for (int w = 0; w < WAYS; w++) {
            double error = (double)ways[w](x, ROW) / right - 1;
            squares[w] += error * error;
        }
    }
    for (int w = 0; w < WAYS; w++) errors[w] = sqrt(squares[w] / (double)draws);
}

/* The exponent of one seed's errors: k in error ~ offset^k for the offsets from number
 * `from` to number `to`. */
static double exponent(const double offsets[OFFSETS], double errors[OFFSETS][WAYS],
                       int way, size_t from, size_t to) {
    double column[OFFSETS];
    for (size_t i = from; i <= to; i++) column[i] = errors[i][way];
    return fit_exponent(offsets + from, column + from, to - from + 1);
}

static void claim_exponent(const double offsets[OFFSETS],
                           double errors[SEEDS][OFFSETS][WAYS], int way, size_t from,
                           size_t to, double theory) {
    double smallest = INFINITY, largest = -INFINITY;
    for (size_t s = 0; s < SEEDS; s++) {
        double k = exponent(offsets, errors[s], way, from, to);
        smallest = smaller(smallest, k);
        largest = larger(largest, k);
    }
    claim(smallest > theory - 0.15 && largest < theory + 0.15,
          "%s: error ~ offset^k for offsets of %.0f to %.0f, k from %.2f to %.2f "
          "(theory %g, allowed +-0.15)",
          way_names[way], offsets[from], offsets[to], smallest, largest, theory);
}

static void claim_flat(const double offsets[OFFSETS],
                       double errors[SEEDS][OFFSETS][WAYS], int way, size_t to,
                       double allowed) {
    double largest = 0;
    for (size_t s = 0; s < SEEDS; s++) {
        for (size_t i = 0; i <= to; i++) largest = larger(largest, errors[s][i][way]);
    }
    claim(largest < allowed, "%s: error at most %.1e for offsets up to %g (below %g)",
          way_names[way], largest, offsets[to], allowed);
}

static void measure_all(const Settings *settings, double offsets[OFFSETS],
                        double errors[SEEDS][OFFSETS][WAYS]) {
    /* rounding to a float changes a number by this share at most */
    const double unit = ldexp(1, -24);
    size_t draws = settings->quick ? 20 : 200;
    Csv csv = csv_begin(settings->out, "variance-error",
                        "seed,offset,one_pass,one_pass_kahan,welford,two_passes,two_"
                        "passes_kahan,square,line");
    for (size_t s = 0; s < SEEDS; s++) {
        for (size_t i = 0; i < OFFSETS; i++) {
            offsets[i] = ldexp(1, 2 * (int)i);
            double *e = errors[s][i];
            measure_errors(e, offsets[i], draws, settings->seed + s);
            csv_row(&csv, "%zu,%g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g",
                    (size_t)settings->seed + s, offsets[i], e[ONE_PASS],
                    e[ONE_PASS_KAHAN], e[WELFORD], e[TWO_PASSES], e[TWO_PASSES_KAHAN],
                    unit * offsets[i] * offsets[i], unit * offsets[i]);
        }
    }
    csv_commit(&csv);
}

/* Equal numbers have variance 0, so a norm must give 0. A mean that is beside them by a
 * little is a little divided by sqrt(eps). */
static void claim_constant_row(void) {
    float x[ROW], out[ROW], mean, rstd, sum = 0;
    for (size_t i = 0; i < ROW; i++) sum += x[i] = 10000.1f;
    float difference = x[0] - sum / ROW;
    float wrong = difference / sqrtf(difference * difference + 1e-5f);
    layernorm_forward(out, &mean, &rstd, x, NULL, NULL, 1, ROW, 1e-5f);
    claim(out[0] == 0 && fabsf(wrong) > 0.5f,
          "a row of %d times 10000.1 under LayerNorm: %g; with its mean summed in "
          "float it would be %.3f",
          ROW, (double)out[0], (double)wrong);
}

void experiment_variance_error(const Settings *settings) {
    double offsets[OFFSETS], errors[SEEDS][OFFSETS][WAYS];
    measure_all(settings, offsets, errors);
    printf("relative error of the variance of %d numbers, offset + N(0, 1); seed %zu\n",
           ROW, (size_t)settings->seed);
    printf(" offset  one pass  one pass, Kahan   Welford  two passes  two passes, "
           "Kahan\n");
    for (size_t i = 0; i < OFFSETS; i += 2) {
        const double *e = errors[0][i];
        printf("%7.0f   %7.0e  %15.0e   %7.0e  %10.0e  %17.0e\n", offsets[i],
               e[ONE_PASS], e[ONE_PASS_KAHAN], e[WELFORD], e[TWO_PASSES],
               e[TWO_PASSES_KAHAN]);
    }
    claim_exponent(offsets, errors, ONE_PASS, 1, 7, 2);
    claim_exponent(offsets, errors, ONE_PASS_KAHAN, 1, 9, 2);
    claim_exponent(offsets, errors, WELFORD, 3, 8, 1);
    claim_flat(offsets, errors, TWO_PASSES, 4, 1e-6);
    claim_flat(offsets, errors, TWO_PASSES_KAHAN, 6, 1e-6);
    claim_exponent(offsets, errors, TWO_PASSES_KAHAN, 7, 10, 2);
    claim_constant_row();
}
