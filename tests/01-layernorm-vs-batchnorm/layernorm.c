/* Tests of exercise 01/layernorm: PyTorch's numbers, inputs that tell the known mistakes apart, and
 * gradients. */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "golden.h"

/* A plain version in double, with the mistakes that are often made as variations. */
typedef enum {
    RIGHT,
    BESSEL,      /* variance / (n - 1) */
    EPS_OUTSIDE, /* x / (std + eps) */
    NO_EPS,
    NO_MEAN, /* RMSNorm */
    NO_GAIN,
    NO_BIAS,
    VARIANCE_NOT_CENTERED, /* mean of x^2 under the root, although the mean is subtracted above */
} Variation;

static double *plain_forward(const float *x, const float *gain, const float *bias, size_t rows, size_t dim,
                             double eps, Variation variation) {
    double *out = checked_alloc(rows * dim, sizeof *out);
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        double mean = 0, sum = 0;
        for (size_t i = 0; i < dim; i++) mean += (double)row[i] / (double)dim;
        if (variation == NO_MEAN) mean = 0;
        double center = variation == VARIANCE_NOT_CENTERED ? 0 : mean;
        for (size_t i = 0; i < dim; i++) sum += ((double)row[i] - center) * ((double)row[i] - center);
        double variance = sum / (double)(variation == BESSEL ? dim - 1 : dim);
        double scale = 1 / sqrt(variance + (variation == NO_EPS ? 0 : eps));
        if (variation == EPS_OUTSIDE) scale = 1 / (sqrt(variance) + eps);
        for (size_t i = 0; i < dim; i++) {
            double g = gain && variation != NO_GAIN ? (double)gain[i] : 1;
            double b = bias && variation != NO_BIAS ? (double)bias[i] : 0;
            out[r * dim + i] = ((double)row[i] - mean) * scale * g + b;
        }
    }
    return out;
}

static void check_forward(const float *x, const float *gain, const float *bias, size_t rows, size_t dim,
                          float eps, double tolerance) {
    float *out = nan_floats(rows * dim), *mean = nan_floats(rows), *rstd = nan_floats(rows);
    layernorm_forward(out, mean, rstd, x, gain, bias, rows, dim, eps);
#define PLAIN(variation) plain_forward(x, gain, bias, rows, dim, (double)eps, variation)
    CHECK_CLOSE("out", out, PLAIN(RIGHT), rows * dim, tolerance,
                {"the variance is divided by dim - 1 instead of dim", PLAIN(BESSEL)},
                {"eps is added to the standard deviation, outside the root", PLAIN(EPS_OUTSIDE)},
                {"eps is left out", PLAIN(NO_EPS)},
                {"the mean is not subtracted (that is RMSNorm)", PLAIN(NO_MEAN)},
                {"the gain is left out", PLAIN(NO_GAIN)}, {"the bias is left out", PLAIN(NO_BIAS)},
                {"the mean of x^2 stands for the variance", PLAIN(VARIANCE_NOT_CENTERED)});
#undef PLAIN
}

/* eps is large against this variance: where it stands shows. */
Test(layernorm, forward_tiny_variance, .timeout = 10) {
    enum { ROWS = 3, DIM = 8 };
    float *x = normal_floats(ROWS * DIM, 1e-3, 1);
    check_forward(x, NULL, NULL, ROWS, DIM, 1e-5f, 1e-5);
}

/* Four elements: dividing by 3 instead of 4 changes the result by 13 %. */
Test(layernorm, forward_small_rows, .timeout = 10) {
    enum { ROWS = 6, DIM = 4 };
    check_forward(normal_floats(ROWS * DIM, 1, 2), NULL, NULL, ROWS, DIM, 1e-5f, 1e-5);
}

Test(layernorm, forward_gain_and_bias, .timeout = 10) {
    enum { ROWS = 3, DIM = 5 };
    check_forward(normal_floats(ROWS * DIM, 1, 3), normal_floats(DIM, 1, 4), normal_floats(DIM, 1, 5), ROWS,
                  DIM, 1e-5f, 1e-5);
}

/* A row far from zero: the mean must be subtracted before squaring. */
Test(layernorm, forward_offset, .timeout = 10) {
    enum { ROWS = 2, DIM = 64 };
    float *x = normal_floats(ROWS * DIM, 1, 6);
    for (size_t i = 0; i < ROWS * DIM; i++) x[i] += 1000.0f;
    check_forward(x, NULL, NULL, ROWS, DIM, 1e-5f, 1e-3);
}

/* All elements equal: the variance is 0, the output the bias, and nothing is NaN. */
Test(layernorm, forward_constant_rows, .timeout = 10) {
    enum { ROWS = 2, DIM = 7 };
    float x[ROWS * DIM], bias[DIM];
    for (size_t i = 0; i < ROWS * DIM; i++) x[i] = i < DIM ? 3.0f : -0.25f;
    for (size_t i = 0; i < DIM; i++) bias[i] = (float)i;
    check_forward(x, NULL, bias, ROWS, DIM, 1e-5f, 1e-5);
}

static void golden_case(const char *name, double tolerance, bool backward) {
    size_t size, dim = 1, shape[SAFETENSORS_MAX_NDIM];
    float *x = golden_float("layernorm", name, "x", &size);
    int ndim = golden_shape("layernorm", name, "x", shape);
    int last = (int)golden_attr("layernorm", name, "ndim");
    for (int i = ndim - last; i < ndim; i++) dim *= shape[i];
    size_t rows = size / dim;
    float eps = (float)golden_attr("layernorm", name, "eps");
    bool has_gain = golden_has("layernorm", name, "weight"), has_bias = golden_has("layernorm", name, "bias");
    float *gain = has_gain ? golden_float("layernorm", name, "weight", NULL) : NULL;
    float *bias = has_bias ? golden_float("layernorm", name, "bias", NULL) : NULL;
    if (!backward) {
        float *out = nan_floats(size), *mean = nan_floats(rows), *rstd = nan_floats(rows);
        layernorm_forward(out, mean, rstd, x, gain, bias, rows, dim, eps);
        CHECK_CLOSE(name, out, golden("layernorm", name, "y", NULL), size, tolerance);
        return;
    }
    /* The statistics are computed here, so that a wrong forward pass does not fail a right backward pass. */
    float *mean = checked_alloc(rows, sizeof *mean), *rstd = checked_alloc(rows, sizeof *rstd);
    for (size_t r = 0; r < rows; r++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < dim; i++) sum += (double)x[r * dim + i];
        for (size_t i = 0; i < dim; i++) squares += pow((double)x[r * dim + i] - sum / (double)dim, 2);
        mean[r] = (float)(sum / (double)dim);
        rstd[r] = (float)(1 / sqrt(squares / (double)dim + (double)eps));
    }
    float *dx = ones_and_a_half(size), *dgain = ones_and_a_half(dim), *dbias = ones_and_a_half(dim);
    layernorm_backward(dx, has_gain ? dgain : NULL, has_bias ? dbias : NULL,
                       golden_float("layernorm", name, "dy", NULL), x, mean, rstd, gain, rows, dim);
    CHECK_ADDED("dx", dx, golden("layernorm", name, "dx", NULL), size, tolerance);
    if (has_gain) CHECK_ADDED("dgain", dgain, golden("layernorm", name, "dweight", NULL), dim, tolerance);
    if (has_bias) CHECK_ADDED("dbias", dbias, golden("layernorm", name, "dbias", NULL), dim, tolerance);
}

Test(layernorm, forward_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"basic",  "last_dims",     "no_bias",     "no_affine",
                           "vector", "constant_rows", "tiny_values", "dim1"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) golden_case(cases[i], 1e-5, false);
    golden_case("offset_1e4", 1e-3, false);
}

Test(layernorm, backward_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"basic", "last_dims", "no_bias", "no_affine", "vector", "tiny_values"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) golden_case(cases[i], 2e-5, true);
}

/* dx in double, and with the terms that are easily forgotten left out. */
static double *plain_dx(const float *x, const float *dout, const float *gain, size_t rows, size_t dim,
                        double eps, bool mean_term, bool xhat_term, bool use_gain) {
    double *dx = checked_alloc(rows * dim, sizeof *dx);
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim, *drow = dout + r * dim;
        double n = (double)dim, mean = 0, variance = 0, mean_g = 0, mean_gx = 0;
        for (size_t i = 0; i < dim; i++) mean += (double)row[i] / n;
        for (size_t i = 0; i < dim; i++) variance += ((double)row[i] - mean) * ((double)row[i] - mean) / n;
        double rstd = 1 / sqrt(variance + eps);
        for (size_t i = 0; i < dim; i++) {
            double g = (double)drow[i] * (use_gain ? (double)gain[i] : 1),
                   xhat = ((double)row[i] - mean) * rstd;
            mean_g += g / n;
            mean_gx += g * xhat / n;
        }
        for (size_t i = 0; i < dim; i++) {
            double g = (double)drow[i] * (use_gain ? (double)gain[i] : 1),
                   xhat = ((double)row[i] - mean) * rstd;
            dx[r * dim + i] = rstd * (g - (mean_term ? mean_g : 0) - (xhat_term ? xhat * mean_gx : 0));
        }
    }
    return dx;
}

Test(layernorm, backward_terms_of_dx, .timeout = 10) {
    enum { ROWS = 3, DIM = 6 };
    float *x = normal_floats(ROWS * DIM, 2, 7), *gain = normal_floats(DIM, 1, 8),
          *dout = normal_floats(ROWS * DIM, 1, 9);
    float mean[ROWS], rstd[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < DIM; i++) sum += (double)x[r * DIM + i];
        for (size_t i = 0; i < DIM; i++) squares += pow((double)x[r * DIM + i] - sum / DIM, 2);
        mean[r] = (float)(sum / DIM);
        rstd[r] = (float)(1 / sqrt(squares / DIM + 1e-5));
    }
    float *dx = ones_and_a_half(ROWS * DIM);
    layernorm_backward(dx, NULL, NULL, dout, x, mean, rstd, gain, ROWS, DIM);
#define PLAIN(a, b, c) plain_dx(x, dout, gain, ROWS, DIM, 1e-5, a, b, c)
    CHECK_ADDED("dx", dx, PLAIN(true, true, true), ROWS * DIM, 1e-5,
                {"the term mean(g) is missing in dx: the mean depends on x too", PLAIN(false, true, true)},
                {"the term xhat * mean(g * xhat) is missing in dx: the variance depends on x too",
                 PLAIN(true, false, true)},
                {"mean and rstd are taken as constants in dx", PLAIN(false, false, true)},
                {"the gain is left out of dx", PLAIN(true, true, false)});
#undef PLAIN
}

Test(layernorm, layer_refuses_a_wrong_shape, .exit_code = 1, .timeout = 10) {
    Tape t = tape_create(1);
    Params params = {.mode = PARAMS_TRAIN};
    LayerNorm l = layernorm_create(&params, 1, (size_t[]){8}, 1e-5f, "ln");
    float x[12] = {0};
    /* The right width first, so that a stub is noticed. */
    layernorm(&t, &l, tape_input(&t, 1, (size_t[]){8}, x));
    layernorm(&t, &l, tape_input(&t, 2, (size_t[]){2, 6}, x));
    exit(0);
}
