/* Tests of exercise 05/dropout: the mask is a function of the index alone,
 * and both passes have the same one. */
#include "05-residual-blocks/dropout.h"
#include "05-residual-blocks/dropout_layer.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "base/memory.h"

enum { N = 200 };

static double uniform(const Random *r, size_t i) {
    return (double)(random_at(r, r->next + i) >> 8) * 0x1p-24;
}

typedef enum {
    RIGHT,
    NOT_SCALED,
    TIMES_KEPT,
    INVERTED,
    NEXT_IGNORED,
    NO_MASK,
    SCALED_BY_P,
    OVERWRITTEN
} Variation;

static const double *plain(const float *x, double p, const Random *random,
                           Variation v) {
    double *out = checked_alloc(N, sizeof *out);
    Random r = *random;
    if (v == NEXT_IGNORED) r.next = 0;
    for (size_t i = 0; i < N; i++) {
        bool kept = uniform(&r, i) >= p;
        if (v == INVERTED) kept = !kept;
        double scale = 1 / (1 - p);
        if (v == NOT_SCALED) scale = 1;
        if (v == TIMES_KEPT) scale = 1 - p;
        if (v == SCALED_BY_P) scale = 1 / p;
        out[i] = kept || v == NO_MASK ? scale * (double)x[i] : 0;
        if (v == OVERWRITTEN && kept) out[i] -= 1.5; /* the gradient was 1.5 before */
    }
    return out;
}

/* A stream that other dropouts have drawn from already. */
static Random used_random(void) {
    Random r = random_stream(7, 3);
    r.next = 1001;
    return r;
}

/* The passes under test, each with a generator that is no other's. */
static void expect_unmoved(const Random *r, const Random *before) {
    CHECK(r->next == before->next && r->stream == before->stream &&
              r->seed == before->seed,
          "`random` is not as it was, though it is const; this is what you get when "
          "numbers are drawn from it "
          "(random_float): the other pass then has another mask. Take random_at, or "
          "draw from a copy");
}

static void forward(float *out, const float *x, size_t n, float p,
                    const Random *random) {
    Random own = *random;
    dropout_forward(out, x, n, p, &own);
    expect_unmoved(&own, random);
}

static void backward(float *dx, const float *dout, size_t n, float p,
                     const Random *random) {
    Random own = *random;
    dropout_backward(dx, dout, n, p, &own);
    expect_unmoved(&own, random);
}

/* See known.h. */
static void know_pass(const float *x, size_t n, double p) {
    double *scaled = as_double(x, n);
    for (size_t i = 0; i < n; i++) scaled[i] /= 1 - p;
    AXES({"element", "n", n});
    KNOW(x, "element");
    KNOW_AS("x / (1 - p)", scaled, "element");
    know_number("p", p);
}

/* Both passes on the same numbers, x and dout. */
#define CHECK_BOTH(where, x, n, p, r, expected, ...)                                   \
    do {                                                                               \
        float *out_ = nan_floats(n), *dx_ = ones_and_a_half(n);                        \
        forward(out_, x, n, p, r);                                                     \
        backward(dx_, x, n, p, r);                                                     \
        know_pass(x, n, (double)(p));                                                  \
        CHECK_CLOSE("out " where, out_, expected, n, 1e-6, ##__VA_ARGS__);             \
        CHECK_ADDED("dx " where, dx_, expected, n, 1e-6, ##__VA_ARGS__);               \
    } while (0)

#define MISTAKES(x)                                                                    \
    {"what is kept is not divided by 1 - p", plain(x, 0.25, &r, NOT_SCALED)},          \
        {"what is kept is multiplied by 1 - p instead of divided",                     \
         plain(x, 0.25, &r, TIMES_KEPT)},                                              \
        {"what is kept is divided by p", plain(x, 0.25, &r, SCALED_BY_P)},             \
        {"what should be dropped is kept, and the other way round",                    \
         plain(x, 0.25, &r, INVERTED)},                                                \
    {                                                                                  \
        "random->next is ignored: every dropout would have the same mask",             \
            plain(x, 0.25, &r, NEXT_IGNORED)                                           \
    }

Test(dropout, forward_mask_and_scale, .timeout = 10) {
    float *x = normal_floats(N, 1, 1), *out = nan_floats(N);
    Random r = used_random();
    forward(out, x, N, 0.25f, &r);
    know_pass(x, N, 0.25);
    CHECK_CLOSE("out", out, plain(x, 0.25, &r, RIGHT), N, 1e-6, MISTAKES(x),
                {"nothing is dropped", plain(x, 0.25, &r, NO_MASK)});
}

Test(dropout, backward_mask_and_scale, .timeout = 10) {
    float *dout = normal_floats(N, 1, 2), *dx = ones_and_a_half(N);
    Random r = used_random();
    backward(dx, dout, N, 0.25f, &r);
    know_pass(dout, N, 0.25);
    CHECK_ADDED(
        "dx (no forward pass ran before: random gives the mask)", dx,
        plain(dout, 0.25, &r, RIGHT), N, 1e-6, MISTAKES(dout),
        {"the mask is left out of the backward pass", plain(dout, 0.25, &r, NO_MASK)},
        {"dx is overwritten (=) instead of added to (+=)",
         plain(dout, 0.25, &r, OVERWRITTEN)});
}

/* The mask is that of the places: what x or dout holds there does not matter. */
Test(dropout, zeros_have_numbers_too, .timeout = 10) {
    float *x = normal_floats(N, 1, 3);
    for (size_t i = 0; i < N; i += 3) x[i] = 0;
    Random r = used_random();
    const double *right = plain(x, 0.25, &r, RIGHT);
    double skipped[N];
    for (size_t i = 0, drawn = 0; i < N; i++) {
        skipped[i] = x[i] != 0 && uniform(&r, drawn) >= 0.25 ? (double)x[i] / 0.75 : 0;
        drawn += x[i] != 0;
    }
    CHECK_BOTH("where every third number is 0", x, N, 0.25f, &r, right,
               {"no number is drawn where x or dout is 0: element i has number "
                "random->next + i",
                skipped});
}

/* A share that is no whole number of per cents. */
Test(dropout, any_share, .timeout = 10) {
    const float p = 0.1284f;
    float *x = normal_floats(N, 1, 8);
    Random r = used_random();
    double expected[N], cut[N], rounded[N];
    for (size_t i = 0; i < N; i++) {
        double kept = uniform(&r, i) >= (double)p ? (double)x[i] : 0;
        expected[i] = kept / (1 - (double)p);
        cut[i] = kept / 0.87;
        rounded[i] = kept / 0.88;
    }
    CHECK_BOTH("with p = 0.1284", x, N, p, &r, expected,
               {"1 - p is kept as whole per cents (an int)", cut},
               {"p is kept as whole per cents (an int)", rounded});
}

/* What is dropped is 0 and gets no gradient, whatever stood there. */
Test(dropout, drops_infinities, .timeout = 10) {
    Random r = used_random();
    float *x = equal_floats(N, INFINITY), *out = nan_floats(N),
          *dx = ones_and_a_half(N);
    forward(out, x, N, 0.25f, &r);
    backward(dx, x, N, 0.25f, &r);
    for (size_t i = 0; i < N; i++) {
        if (uniform(&r, i) >= 0.25) continue;
        CHECK(out[i] == 0 && dx[i] == ones_and_a_half(1)[0],
              "x[%zu] and dout[%zu] are infinite, and dropped: out is %g, expected 0, "
              "and dx is %g, expected as it was%s",
              i, i, (double)out[i], (double)dx[i],
              isnan(out[i]) || isnan(dx[i])
                  ? ": this is what you get when they are multiplied by 0"
                  : "");
    }
}

/* u < p is dropped: where u is p exactly, the element is kept. */
Test(dropout, keeps_at_the_border, .timeout = 10) {
    Random r = used_random();
    float x[8] = {1, 1, 1, 1, 1, 1, 1, 1}, out[8], dx[8] = {0};
    for (size_t i = 0; i < 8; i++) {
        float p = (float)uniform(&r, i);
        forward(out, x, 8, p, &r);
        CHECK(out[i] != 0.0f,
              "element %zu has the uniform number %.9g, which is not less than p = "
              "%.9g: it must be kept",
              i, uniform(&r, i), (double)p);
        dx[i] = 0;
        backward(dx, x, 8, p, &r);
        CHECK(dx[i] != 0.0f,
              "element %zu has the uniform number %.9g, which is not less than p = "
              "%.9g: it gets a gradient",
              i, uniform(&r, i), (double)p);
    }
}

/* Where u is less than p, the element is dropped, also where it is less by the last of
 * its 24 bits: of all 32 of a random number, some would round up to p. */
Test(dropout, drops_below_the_border, .timeout = 10) {
    enum { MOST = 64 };
    Random r = used_random();
    float x[MOST], out[MOST];
    for (size_t i = 0; i < MOST; i++) x[i] = 1;
    for (size_t i = 0; i < MOST; i++) {
        double u = uniform(&r, i);
        const float p[2] = {(float)(u + (1 - u) / 2), (float)(u + 0x1p-24)};
        for (size_t k = 0; k < 2; k++) {
            forward(out, x, MOST, p[k], &r);
            CHECK(out[i] == 0.0f,
                  "element %zu has the uniform number %.9g, which is less than p = "
                  "%.9g: it must be dropped%s",
                  i, u, (double)p[k],
                  k ? "; the number is made of the upper 24 bits (>> 8)" : "");
        }
    }
}

/* A long training draws more numbers than an int, or 32 bits, can count. */
Test(dropout, after_billions_of_numbers, .timeout = 10) {
    const uint64_t next[] = {(uint64_t)3 << 30, ((uint64_t)7 << 32) + 5};
    for (size_t k = 0; k < 2; k++) {
        float *x = normal_floats(N, 1, 1);
        Random r = used_random(), narrow = r;
        r.next = next[k];
        narrow.next = (uint64_t)(int)next[k];
        Mistake cut = {
            "random->next + i is counted in an int or in 32 bits: take uint64_t",
            plain(x, 0.25, &narrow, RIGHT)};
        Random low = r;
        low.next = (uint32_t)next[k];
        Mistake cut_unsigned = {cut.when, plain(x, 0.25, &low, RIGHT)};
        CHECK_BOTH("after billions of numbers", x, N, 0.25f, &r,
                   plain(x, 0.25, &r, RIGHT), cut, cut_unsigned);
    }
}

Test(dropout, nothing_at_p_zero, .timeout = 10) {
    float *x = normal_floats(N, 1, 3), *out = nan_floats(N);
    Random r = used_random();
    forward(out, x, N, 0.0f, &r);
    for (size_t i = 0; i < N; i++) {
        CHECK(out[i] == x[i],
              "with p = 0, out[%zu] is %.9g and x[%zu] is %.9g: they must be equal", i,
              (double)out[i], i, (double)x[i]);
    }
}

/* Half a tensor with the numbers from its middle on is half of the whole. */
Test(dropout, parts_equal_the_whole, .timeout = 10) {
    float *x = normal_floats(N, 1, 4), *whole = nan_floats(N), *parts = nan_floats(N);
    Random r = used_random(), rest = r;
    rest.next += 77;
    forward(whole, x, N, 0.5f, &r);
    forward(parts, x, 77, 0.5f, &r);
    forward(parts + 77, x + 77, N - 77, 0.5f, &rest);
    CHECK(memcmp(whole, parts, N * sizeof *whole) == 0,
          "dropout of elements 0 to 76 and then of 77 to %d differs from dropout of "
          "all: element i must use "
          "number "
          "random->next + i",
          N - 1);
}

Test(dropout, threads_change_nothing, .timeout = 10) {
    enum { MANY = 40001 };
    float *x = normal_floats(MANY, 1, 5), *one = nan_floats(MANY),
          *four = nan_floats(MANY);
    Random r = used_random();
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
    forward(one, x, MANY, 0.3f, &r);
#ifdef _OPENMP
    omp_set_num_threads(4);
#endif
    forward(four, x, MANY, 0.3f, &r);
    CHECK(memcmp(one, four, MANY * sizeof *one) == 0,
          "dropout with one thread and with four differ");
}

/* The backward pass drops the same elements as the forward pass. */
Test(dropout, both_passes_have_the_same_mask, .timeout = 10) {
    float x[N], *out = nan_floats(N), *dx = ones_and_a_half(N);
    const float start = dx[0];
    for (size_t i = 0; i < N; i++) x[i] = 1.0f;
    Random r = used_random();
    forward(out, x, N, 0.4f, &r);
    backward(dx, x, N, 0.4f, &r);
    for (size_t i = 0; i < N; i++) {
        bool forward_keeps = out[i] != 0.0f, backward_keeps = dx[i] != start;
        CHECK(forward_keeps == backward_keeps,
              "element %zu: the forward pass %s it, the backward pass %s it", i,
              forward_keeps ? "keeps" : "drops", backward_keeps ? "keeps" : "drops");
    }
}

Test(dropout, in_place, .timeout = 10) {
    float *x = normal_floats(N, 1, 6), *out = nan_floats(N);
    Random r = used_random();
    forward(out, x, N, 0.5f, &r);
    forward(x, x, N, 0.5f, &r);
    CHECK(memcmp(x, out, N * sizeof *x) == 0,
          "dropout_forward(x, x, ...) differs from dropout_forward(out, x, ...)");
}

/* More elements than random numbers come for at a time: element i has the stream's
 * number next + i in both passes. */
Test(dropout, thousands, .timeout = 10) {
    static const size_t sizes[] = {512, 513, 5003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        Random r = used_random();
        float *x = normal_floats(n, 1, 3);
        double *expected = checked_alloc(n, sizeof *expected);
        for (size_t i = 0; i < n; i++)
            expected[i] = uniform(&r, i) >= 0.25 ? (double)x[i] / 0.75 : 0;
        CHECK_BOTH("of thousands", x, n, 0.25f, &r, expected);
    }
}

/* 100 000 ones: a share p becomes 0, and the mean stays 1, each within 5 standard
 * deviations. */
Test(dropout, keeps_the_expectation, .timeout = 10) {
    enum { MANY = 100000 };
    float *x = checked_alloc(MANY, sizeof *x), *out = nan_floats(MANY);
    for (size_t i = 0; i < MANY; i++) x[i] = 1.0f;
    const double ps[] = {0.1, 0.5, 0.9};
    for (size_t k = 0; k < 3; k++) {
        double p = ps[k], sum = 0, dropped = 0;
        Random r = random_create(11);
        forward(out, x, MANY, (float)p, &r);
        for (size_t i = 0; i < MANY; i++) {
            sum += (double)out[i];
            dropped += out[i] == 0.0f;
        }
        CHECK(fabs(dropped / MANY - p) < 5 * sqrt(p * (1 - p) / MANY),
              "p = %g: the share that is dropped is %g", p, dropped / MANY);
        CHECK(fabs(sum / MANY - 1) < 5 * sqrt(p / (1 - p) / MANY),
              "p = %g: ones have a mean of %g after dropout, expected 1", p,
              sum / MANY);
    }
}
