/* Tests of exercise 05/measure_scales: branches of unknown size, that are correlated
 * with their stream or not, or nothing. */
#include "05-residual-blocks/measure_scales.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "check/check.h"

/* F_l(x) = along x + across (x turned by a quarter, two by two) + rest noise_l. The
 * first part is correlated with the stream, the second is not; both grow with it. */
typedef struct {
    double along, across, rest;
} Part;

typedef struct {
    const Part *parts; /* [count] */
    const float *noise;
    size_t n;
} Made;

static double made(const Made *m, size_t l, size_t i, double here, double partner) {
    const Part *p = &m->parts[l];
    double turned = i % 2 ? partner : -partner;
    double noise = p->rest != 0 ? p->rest * (double)m->noise[(i + 5 * l) % m->n] : 0;
    return p->along * here + p->across * turned + noise;
}

static void run(float *out, const float *x, size_t n, size_t l, const void *self) {
    for (size_t i = 0; i < n; i++) {
        size_t partner = i ^ 1;
        out[i] =
            (float)made(self, l, i, (double)x[i], partner < n ? (double)x[partner] : 0);
    }
}

typedef enum {
    RIGHT,
    INDEPENDENT,    /* the product of stream and branch is taken for 0 */
    AS_DRAWN,       /* later branches read x + F(x), without the scales */
    ONE_INPUT,      /* all branches read the first stream */
    NO_POWER,       /* each branch multiplies by growth */
    IN_EQUAL_PARTS, /* the factor is 1 + (growth - 1) / count */
    OF_THE_NORM,    /* the norm, not its square, is multiplied */
    OTHER_ROOT,     /* the quadratic equation's negative solution */
    NO_TWO,         /* x . b without its factor 2 */
    NO_ROOT,        /* s^2 for s, where the branch is independent */
} Variation;

static double solve(double xx, double xb, double bb, double more, Variation v) {
    if (bb == 0) return 1;
    if (v == INDEPENDENT) return sqrt(xx * more / bb);
    if (v == NO_ROOT) return xx * more / bb;
    if (v == NO_TWO) xb /= 2;
    double root = sqrt(xb * xb + bb * xx * more);
    return ((v == OTHER_ROOT ? -root : root) - xb) / bb;
}

static double factor_of(double growth, size_t count, Variation v) {
    double n = (double)count;
    if (v == NO_POWER) return growth;
    if (v == IN_EQUAL_PARTS) return 1 + (growth - 1) / n;
    return pow(growth, (v == OF_THE_NORM ? 2 : 1) / n);
}

/* The scales, and the stream behind the last branch in x [n]. */
static double *plain(double *x, const Made *m, size_t count, double growth,
                     Variation v) {
    size_t n = m->n;
    double *scales = checked_alloc(count, sizeof *scales),
           *branch = checked_alloc(n, sizeof *branch),
           factor = factor_of(growth, count, v);
    for (size_t l = 0; l < count; l++) {
        double xx = 0, xb = 0, bb = 0;
        for (size_t i = 0; i < n; i++) {
            branch[i] = made(m, l, i, x[i], (i ^ 1) < n ? x[i ^ 1] : 0);
            xx += x[i] * x[i];
            xb += x[i] * branch[i];
            bb += branch[i] * branch[i];
        }
        scales[l] = solve(xx, xb, bb, factor - 1, v);
        if (v == ONE_INPUT) continue;
        double step = v == AS_DRAWN ? 1 : scales[l];
        for (size_t i = 0; i < n; i++) x[i] += step * branch[i];
    }
    free(branch);
    return scales;
}

static void check_scales(const Part *parts, size_t count, size_t n, double growth) {
    Made m = {parts, normal_floats(n, 1, 3), n};
    float *start = normal_floats(n, 2, 4), *x = normal_floats(n, 2, 4),
          *scales = nan_floats(count);
    double *end = as_double(start, n);
    const double *right = plain(end, &m, count, growth, RIGHT);
    measure_scales(scales, x, n, growth, &(Branches){count, run, &m});
    AXES({"branch", "count", count}, {"element", "n", n});
    know_shape("scales", "branch");
    know_shape("x", "element");
    know_number("growth", growth);
#define PLAIN(v) plain(as_double(start, n), &m, count, growth, v)
    CHECK_CLOSE(
        "scales", scales, right, count, 2e-5,
        {"stream and branch are taken for uncorrelated: |x + s b|^2 has a term with x "
         "times b",
         PLAIN(INDEPENDENT)},
        {"a branch reads the stream without the scales before it: x + F(x)",
         PLAIN(AS_DRAWN)},
        {"all branches read the batch: each reads the stream behind the one before it",
         PLAIN(ONE_INPUT)},
        {"each branch multiplies the mean square by growth: all of them together shall",
         PLAIN(NO_POWER)},
        {"the factor is 1 + (growth - 1) / count: factors multiply, so it is a root",
         PLAIN(IN_EQUAL_PARTS)},
        {"growth is taken for that of the norm: it is the mean square's",
         PLAIN(OF_THE_NORM)},
        {"the quadratic equation's negative solution is taken", PLAIN(OTHER_ROOT)},
        {"x times b lacks its factor 2 in |x + s b|^2", PLAIN(NO_TWO)},
        {"the root is left out: s multiplies the branch, s^2 its mean square",
         PLAIN(NO_ROOT)});
#undef PLAIN
    double *untouched = as_double(start, n);
    CHECK_CLOSE(
        "x", x, end, n, 2e-5,
        {"x is still the batch: it must end as the stream behind the last branch",
         untouched});
}

/* x + s x has (1 + s)^2 times the mean square of x. */
Test(measure_scales, by_hand, .timeout = 10) {
    const Part same = {1, 0, 0}, half_against = {-0.5, 0, 0};
    float scale = NAN, x[2] = {3, 4};
    measure_scales(&scale, x, 2, 4, &(Branches){1, run, &(Made){&same, NULL, 2}});
    CHECK_NUMBER(
        "the scale of F(x) = x for growth 4", scale, 1, 1e-6,
        {"stream and branch are taken for uncorrelated", &(double){sqrt(3)}},
        {"the quadratic equation's negative solution is taken", &(double){-3}});
    CHECK_CLOSE("x", x, ((double[]){6, 8}), 2, 1e-6,
                {"x is still the batch: it must end as the stream behind the last "
                 "branch",
                 (double[]){3, 4}});
    float other = NAN, y[2] = {3, 4};
    measure_scales(&other, y, 2, 4,
                   &(Branches){1, run, &(Made){&half_against, NULL, 2}});
    CHECK_NUMBER("the scale of F(x) = -x / 2 for growth 4", other, 6, 1e-6);
}

/* A branch at right angles to its stream: variances add. */
Test(measure_scales, independent_branches, .timeout = 10) {
    check_scales((const Part[]){{0, 1, 0}}, 1, 10, 2);
    check_scales((const Part[]){{0, 3, 0}, {0, 0.1, 0}, {0, 1, 0}}, 3, 10, 2.5);
}

Test(measure_scales, correlated_branches, .timeout = 10) {
    check_scales((const Part[]){{1, 1, 0.5}, {0.5, 2, 1}, {2, 0.3, 0.2}}, 3, 12, 2);
    check_scales((const Part[]){{-1, 1, 0.5}, {-0.5, 2, 1}, {-2, 0.3, 0.2}}, 3, 12, 2);
}

/* Every scale must give the same factor in its branch. */
Test(measure_scales, each_branch_takes_its_share, .timeout = 10) {
    enum { COUNT = 5, N = 30 };
    const Part parts[COUNT] = {{2, 1, 1}, {0, 9, 0}, {-1, 0, 3}, {0, 0, 7}, {5, 1, 0}};
    Made m = {parts, normal_floats(N, 1, 3), N};
    float *x = normal_floats(N, 1, 5), *scales = nan_floats(COUNT);
    double *stream = as_double(x, N), factor = pow(3, 1.0 / COUNT);
    measure_scales(scales, x, N, 3, &(Branches){COUNT, run, &m});
    for (size_t l = 0; l < COUNT; l++) {
        double before = 0, after = 0, branch[N];
        for (size_t i = 0; i < N; i++)
            branch[i] = made(&m, l, i, stream[i], stream[i ^ 1]);
        for (size_t i = 0; i < N; i++) {
            before += stream[i] * stream[i];
            stream[i] += (double)scales[l] * branch[i];
            after += stream[i] * stream[i];
        }
        CHECK(fabs(after / before - factor) < 1e-4,
              "branch %zu multiplies the mean square by %.5g, expected the fifth root "
              "of 3, %.5g",
              l, after / before, factor);
        CHECK(scales[l] > 0, "scale %zu is %g, expected a positive one", l,
              (double)scales[l]);
    }
}

/* A branch of zeros passes the stream on with every scale. */
Test(measure_scales, a_branch_of_zeros, .timeout = 10) {
    check_scales((const Part[]){{0, 1, 0}, {0, 0, 0}, {1, 1, 0}}, 3, 10, 2);
}

/* Very many branches, and a large batch. */
Test(measure_scales, thousands, .timeout = 10) {
    enum { COUNT = 5003, N = 1000003 };
    Part *many = checked_alloc(COUNT, sizeof *many);
    for (size_t l = 0; l < COUNT; l++) many[l] = (Part){(double)(l % 3) - 1, 1, 0.5};
    check_scales(many, COUNT, 8, 2);
    check_scales((const Part[]){{0.1, 1, 0.5}, {0.1, 2, 1}}, 2, N, 1.01);
}
