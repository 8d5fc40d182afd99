/* Tests of exercise 19/lora. */
#include "19-fine-tuning/lora.h"

#include <string.h>

#include "base/memory.h"
#include "check/check.h"

/* A change of a matrix, and what a loss says of it. */
typedef struct {
    LoraShape shape;
    float *w0, *a, *b, *dw;
} Case;

static Case case_of(size_t n_in, size_t n_out, size_t rank, float scale) {
    Case c = {.shape = {n_in, n_out, rank, scale},
              .w0 = normal_floats(n_in * n_out, 1, 1),
              .a = normal_floats(n_in * rank, 1, 2),
              .b = normal_floats(rank * n_out, 1, 3),
              .dw = normal_floats(n_in * n_out, 1, 4)};
    AXES({"in", "n_in", n_in}, {"rank", "rank", rank}, {"out", "n_out", n_out});
    KNOW_AS("w0", c.w0, "in out");
    KNOW_AS("a", c.a, "in rank");
    KNOW_AS("b", c.b, "rank out");
    KNOW_AS("dw", c.dw, "in out");
    know_shape("w", "in out");
    know_shape("da", "in rank");
    know_shape("db", "rank out");
    return c;
}

/* keep * base + factor * x y; x [n, k] and y [k, m], or transposed as they are. */
static double *sum_of(double keep, const float *base, double factor, const float *x,
                      bool x_turned, const float *y, bool y_turned, size_t n, size_t m,
                      size_t k) {
    double *out = checked_alloc(n * m, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += (double)x[x_turned ? l * n + i : i * k + l] *
                       (double)y[y_turned ? j * k + l : l * m + j];
            out[i * m + j] = (base ? keep * (double)base[i * m + j] : 0) + factor * sum;
        }
    }
    return out;
}

/* keep * w0 + factor * a b */
static double *merged(const Case *c, double keep, double factor) {
    return sum_of(keep, c->w0, factor, c->a, false, c->b, false, c->shape.n_in,
                  c->shape.n_out, c->shape.rank);
}
static double *da_of(const Case *c, double factor) {
    return sum_of(0, NULL, factor, c->dw, false, c->b, true, c->shape.n_in,
                  c->shape.rank, c->shape.n_out);
}
static double *db_of(const Case *c, double factor) {
    return sum_of(0, NULL, factor, c->a, true, c->dw, false, c->shape.rank,
                  c->shape.n_out, c->shape.n_in);
}

static void check_merge(const Case *c) {
    size_t n = c->shape.n_in * c->shape.n_out;
    double s = (double)c->shape.scale;
    float *w = nan_floats(n);
    lora_merge(w, c->w0, c->a, c->b, &c->shape);
    CHECK_CLOSE("w", w, merged(c, 1, s), n, 1e-5,
                {"the scale is missing: w0 + a b", merged(c, 1, 1)},
                {"the scale is on w0, too: scale * (w0 + a b)", merged(c, s, s)},
                {"w0 is missing: it is the change alone", merged(c, 0, s)},
                {"nothing is changed", merged(c, 1, 0)},
                {"the change is subtracted", merged(c, 1, -s)},
                {"the scale is divided by the rank: `scale` is alpha / rank already",
                 merged(c, 1, s / (double)c->shape.rank)},
                {"the change is added twice", merged(c, 1, 2 * s)});
}

static void check_backward(const Case *c) {
    size_t n_a = c->shape.n_in * c->shape.rank, n_b = c->shape.rank * c->shape.n_out;
    double s = (double)c->shape.scale;
    float *da = ones_and_a_half(n_a), *db = ones_and_a_half(n_b);
    lora_backward(da, db, c->dw, c->a, c->b, &c->shape);
    CHECK_ADDED("da", da, da_of(c, s), n_a, 1e-5,
                {"the scale is missing in da", da_of(c, 1)},
                {"the scale is in da twice", da_of(c, s * s)});
    CHECK_ADDED("db", db, db_of(c, s), n_b, 1e-5,
                {"the scale is missing in db", db_of(c, 1)},
                {"the scale is in db twice", db_of(c, s * s)});
}

/* n_in = rank = n_out: every matrix fits everywhere. */
Test(lora, merge_of_square_matrices, .timeout = 10) {
    enum { N = 4, ALL = N * N };
    Case c = case_of(N, N, N, 0.5f);
    float *w = nan_floats(ALL);
    lora_merge(w, c.w0, c.a, c.b, &c.shape);
    CHECK_CLOSE("w", w, merged(&c, 1, 0.5), ALL, 1e-5,
                {"a and b are exchanged: it is b a",
                 sum_of(1, c.w0, 0.5, c.b, false, c.a, false, N, N, N)},
                {"b is read transposed: it is [rank, n_out]",
                 sum_of(1, c.w0, 0.5, c.a, false, c.b, true, N, N, N)},
                {"a is read transposed: it is [n_in, rank]",
                 sum_of(1, c.w0, 0.5, c.a, true, c.b, false, N, N, N)},
                {"both are read transposed",
                 sum_of(1, c.w0, 0.5, c.a, true, c.b, true, N, N, N)});
}

Test(lora, gradients_of_square_matrices, .timeout = 10) {
    enum { N = 4, ALL = N * N };
    Case c = case_of(N, N, N, 0.5f);
    float *da = ones_and_a_half(ALL), *db = ones_and_a_half(ALL);
    lora_backward(da, db, c.dw, c.a, c.b, &c.shape);
    CHECK_ADDED("da", da, da_of(&c, 0.5), ALL, 1e-5,
                {"b is not transposed in da",
                 sum_of(0, NULL, 0.5, c.dw, false, c.b, false, N, N, N)},
                {"da is made from a: it is dw b^T",
                 sum_of(0, NULL, 0.5, c.dw, false, c.a, true, N, N, N)},
                {"da and db are exchanged", db_of(&c, 0.5)},
                {"da is b^T dw: the factors are exchanged",
                 sum_of(0, NULL, 0.5, c.b, true, c.dw, false, N, N, N)});
    CHECK_ADDED("db", db, db_of(&c, 0.5), ALL, 1e-5,
                {"a is not transposed in db",
                 sum_of(0, NULL, 0.5, c.a, false, c.dw, false, N, N, N)},
                {"db is made from b: it is a^T dw",
                 sum_of(0, NULL, 0.5, c.b, true, c.dw, false, N, N, N)},
                {"db is dw a^T: the factors are exchanged",
                 sum_of(0, NULL, 0.5, c.dw, false, c.a, true, N, N, N)});
}

Test(lora, merge, .timeout = 10) {
    Case c = case_of(5, 7, 2, 3);
    check_merge(&c);
}

Test(lora, gradients, .timeout = 10) {
    Case c = case_of(5, 7, 2, 3);
    check_backward(&c);
}

/* At the start b is 0: nothing is changed, a has no gradient, and b has. */
Test(lora, the_start, .timeout = 10) {
    enum { IN = 3, OUT = 4, RANK = 2 };
    Case c = case_of(IN, OUT, RANK, 2);
    memset(c.b, 0, RANK * OUT * sizeof *c.b);
    float *w = nan_floats(IN * OUT), *da = ones_and_a_half(IN * RANK),
          *db = ones_and_a_half(RANK * OUT);
    lora_merge(w, c.w0, c.a, c.b, &c.shape);
    CHECK(memcmp(w, c.w0, IN * OUT * sizeof *w) == 0,
          "where b is 0, w has other bits than w0");
    lora_backward(da, db, c.dw, c.a, c.b, &c.shape);
    CHECK_ADDED("db where b is 0", db, db_of(&c, 2), RANK * OUT, 1e-5);
    for (size_t i = 0; i < IN * RANK; i++)
        CHECK(da[i] == 1.5f, "where b is 0, a has a gradient of %g",
              (double)da[i] - 1.5);
}

/* A step moves a and b; w is made from w0 once more. */
Test(lora, merged_again_after_a_step, .timeout = 10) {
    enum { IN = 6, OUT = 5, RANK = 3, N = IN * OUT };
    Case c = case_of(IN, OUT, RANK, 2);
    float *w = nan_floats(N);
    lora_merge(w, c.w0, c.a, c.b, &c.shape);
    for (size_t i = 0; i < RANK * OUT; i++) c.b[i] *= -0.5f;
    lora_merge(w, c.w0, c.a, c.b, &c.shape);
    CHECK_CLOSE(
        "w of the second merge", w, merged(&c, 1, 2), N, 1e-5,
        {"the first change is still in it: w is made anew from w0", merged(&c, 1, -2)});
}

/* What was in w does not count. */
Test(lora, w_is_set, .timeout = 10) {
    enum { N = 4 };
    Case c = case_of(2, 2, 1, 1);
    float *w = equal_floats(N, 10);
    lora_merge(w, c.w0, c.a, c.b, &c.shape);
    CHECK_CLOSE("w", w, merged(&c, 1, 1), N, 1e-5);
}

Test(lora, other_shapes, .timeout = 10) {
    size_t shapes[][3] = {{1, 1, 1}, {1, 9, 1}, {9, 1, 1}, {64, 192, 16}, {33, 17, 5}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Case c = case_of(shapes[i][0], shapes[i][1], shapes[i][2], 0.25f);
        check_merge(&c);
        check_backward(&c);
    }
}
