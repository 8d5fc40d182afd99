/* Tests of exercise 07/heads: where each number goes, rows with a stride, and the way
 * back. */
#include "07-attention/heads.h"

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

enum {
    BATCH = 2,
    LENGTH = 3,
    HEADS = 4,
    DIM = 2,
    MODEL = HEADS * DIM,
    SIZE = BATCH * LENGTH * MODEL
};

/* b, t, h, i as the digits of a number: 1234 is sample 1, time 2, head 3, element 4 of
 * the head. */
static double digits(size_t b, size_t t, size_t h, size_t i) {
    return 1000.0 * (double)b + 100.0 * (double)t + 10.0 * (double)h + (double)i;
}

typedef enum {
    RIGHT,
    TIME_FIRST,  /* [batch, length, n_head, head_dim]: nothing moved */
    INTERLEAVED, /* feature i * n_head + h instead of h * head_dim + i */
    HEAD_OUTSIDE /* [n_head, batch, length, head_dim] */
} Variation;

/* See known.h. */
static void know_axes(size_t batch, size_t length, size_t n_head, size_t head_dim) {
    AXES({"sample", "batch", batch}, {"time", "length", length},
         {"head", "n_head", n_head}, {"element", "head_dim", head_dim});
    know_shape("split", "sample head time element");
    know_shape("merged", "sample time head element");
}

/* The right result of split_heads when x[b][t][h * DIM + i] = digits(b, t, h, i). */
static double *plain_split(Variation variation) {
    double *out = checked_alloc(SIZE, sizeof *out);
    for (size_t n = 0; n < SIZE; n++) {
        size_t b = n / MODEL / LENGTH, t = n / MODEL % LENGTH, h = n % MODEL / DIM,
               i = n % DIM;
        size_t to = ((b * HEADS + h) * LENGTH + t) * DIM + i;
        if (variation == TIME_FIRST) to = n;
        if (variation == HEAD_OUTSIDE) to = ((h * BATCH + b) * LENGTH + t) * DIM + i;
        size_t feature = h * DIM + i;
        if (variation == INTERLEAVED) feature = i * HEADS + h;
        out[to] = digits(b, t, feature / DIM, feature % DIM);
    }
    return out;
}

/* x of those numbers, with rows `stride` apart, starting at feature `first`; -1 between
 * them. */
static float *rows_of_digits(size_t stride, size_t first) {
    float *x = checked_alloc(BATCH * LENGTH * stride, sizeof *x);
    for (size_t n = 0; n < BATCH * LENGTH * stride; n++) x[n] = -1;
    for (size_t n = 0; n < SIZE; n++) {
        size_t row = n / MODEL, feature = n % MODEL;
        x[row * stride + first + feature] =
            (float)digits(row / LENGTH, row % LENGTH, feature / DIM, feature % DIM);
    }
    return x;
}

#define SPLIT_MISTAKES                                                                 \
    {"nothing is moved: the time still comes before the head",                         \
     plain_split(TIME_FIRST)},                                                         \
        {"a head takes every n_head-th feature: it is a slice of head_dim neighbours", \
         plain_split(INTERLEAVED)},                                                    \
    {                                                                                  \
        "the head comes before the batch: the order is [batch, n_head, length, "       \
        "head_dim]",                                                                   \
            plain_split(HEAD_OUTSIDE)                                                  \
    }

Test(heads, split_small, .timeout = 10) {
    float *out = nan_floats(SIZE);
    split_heads(out, rows_of_digits(MODEL, 0), BATCH, LENGTH, HEADS, DIM, MODEL);
    know_axes(BATCH, LENGTH, HEADS, DIM);
    CHECK_CLOSE("split (b t h i as digits)", out, plain_split(RIGHT), SIZE, 1e-7,
                SPLIT_MISTAKES);
}

/* The keys of a fused row q | k | v. */
Test(heads, split_part_of_a_longer_row, .timeout = 10) {
    enum { STRIDE = 3 * MODEL };
    float *x = rows_of_digits(STRIDE, MODEL), *out = nan_floats(SIZE);
    double *no_stride = checked_alloc(SIZE, sizeof *no_stride);
    for (size_t n = 0; n < SIZE; n++) {
        size_t b = n / MODEL / LENGTH, h = n / (LENGTH * DIM) % HEADS,
               t = n / DIM % LENGTH, i = n % DIM;
        no_stride[n] = (double)x[MODEL + (b * LENGTH + t) * MODEL + h * DIM + i];
    }
    split_heads(out, x + MODEL, BATCH, LENGTH, HEADS, DIM, STRIDE);
    know_axes(BATCH, LENGTH, HEADS, DIM);
    CHECK_CLOSE(
        "split (b t h i as digits)", out, plain_split(RIGHT), SIZE, 1e-7,
        {"rows are taken to be n_head * head_dim apart: they are `stride` apart",
         no_stride},
        SPLIT_MISTAKES);
}

/* Merging what plain_split gives must bring back the rows, added to what is there. */
Test(heads, merge_small, .timeout = 10) {
    double *heads = plain_split(RIGHT),
           *expected = as_double(rows_of_digits(MODEL, 0), SIZE);
    float x[SIZE], *out = ones_and_a_half(SIZE);
    for (size_t n = 0; n < SIZE; n++) x[n] = (float)heads[n];
    double *interleaved = checked_alloc(SIZE, sizeof *interleaved);
    for (size_t n = 0; n < SIZE; n++) {
        size_t h = n % MODEL / DIM, i = n % DIM;
        interleaved[n / MODEL * MODEL + i * HEADS + h] = expected[n];
    }
    merge_heads(out, x, BATCH, LENGTH, HEADS, DIM, MODEL);
    know_axes(BATCH, LENGTH, HEADS, DIM);
    CHECK_ADDED(
        "merged (b t h i as digits)", out, expected, SIZE, 1e-6,
        {"nothing is moved: the heads are side by side in time, not in features",
         heads},
        {"a head goes to every n_head-th feature: it is a slice of head_dim neighbours",
         interleaved});
}

/* Into the keys of a fused row: q and v must stay as they are. */
Test(heads, merge_into_a_longer_row, .timeout = 10) {
    enum { STRIDE = 3 * MODEL };
    double *heads = plain_split(RIGHT);
    float x[SIZE], *rows = rows_of_digits(STRIDE, MODEL),
                   out[BATCH * LENGTH * STRIDE] = {0};
    for (size_t n = 0; n < SIZE; n++) x[n] = (float)heads[n];
    merge_heads(out + MODEL, x, BATCH, LENGTH, HEADS, DIM, STRIDE);
    double expected[BATCH * LENGTH * STRIDE],
        no_stride[BATCH * LENGTH * STRIDE] = {0},
                                   short_batch[BATCH * LENGTH * STRIDE] = {0};
    for (size_t n = 0; n < BATCH * LENGTH * STRIDE; n++)
        expected[n] = rows[n] < 0 ? 0 : (double)rows[n];
    for (size_t n = 0; n < SIZE; n++) {
        size_t b = n / MODEL / LENGTH, t = n / MODEL % LENGTH;
        no_stride[MODEL + n] = digits(b, t, n % MODEL / DIM, n % DIM);
        short_batch[MODEL + b * LENGTH * MODEL + t * STRIDE + n % MODEL] +=
            no_stride[MODEL + n];
    }
    AXES({"sample", "batch", BATCH}, {"time", "length", LENGTH},
         {"place", "stride", STRIDE});
    know_shape("merged", "sample time place");
    CHECK_CLOSE("merged (b t h i as digits)", out, expected, BATCH * LENGTH * STRIDE,
                1e-6,
                {"rows are written n_head * head_dim apart: they are `stride` apart",
                 no_stride},
                {"samples are written length * n_head * head_dim apart: they are "
                 "length * stride apart",
                 short_batch});
}

/* One part of x w^T + b, rows of which are q | k | v. w is [3C, C], as PyTorch stores
 * it. */
static float *fused_rows(const char *name, size_t *batch, size_t *length,
                         size_t *d_model) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("attention", name, "x", shape);
    size_t rows = shape[0] * shape[1], dim = shape[2];
    const double *x = golden("attention", name, "x", NULL),
                 *w = golden("attention", name, "w_qkv", NULL);
    const double *bias = golden("attention", name, "b_qkv", NULL);
    float *out = checked_alloc(rows * 3 * dim, sizeof *out);
    for (size_t n = 0; n < rows * 3 * dim; n++) {
        size_t r = n / (3 * dim), c = n % (3 * dim);
        double sum = bias[c];
        for (size_t i = 0; i < dim; i++) sum += x[r * dim + i] * w[c * dim + i];
        out[n] = (float)sum;
    }
    *batch = shape[0];
    *length = shape[1];
    *d_model = dim;
    return out;
}

Test(heads, split_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"causal_h2", "causal_h4"}, *parts[] = {"q", "k", "v"};
    for (size_t c = 0; c < 2; c++) {
        size_t batch, length, d_model;
        float *rows = fused_rows(cases[c], &batch, &length, &d_model);
        size_t n_head = (size_t)golden_attr("attention", cases[c], "n_head"),
               size = batch * length * d_model;
        for (size_t p = 0; p < 3; p++) {
            float *out = nan_floats(size);
            split_heads(out, rows + p * d_model, batch, length, n_head,
                        d_model / n_head, 3 * d_model);
            know_axes(batch, length, n_head, d_model / n_head);
            CHECK_CLOSE(parts[p], out, golden("attention", cases[c], parts[p], NULL),
                        size, 1e-6);
        }
    }
}

static void check_back(size_t batch, size_t length, size_t n_head, size_t head_dim) {
    size_t dim = n_head * head_dim, size = batch * length * dim;
    float *x = normal_floats(size, 1, 1), *apart = nan_floats(size),
          *back = equal_floats(size, 0);
    split_heads(apart, x, batch, length, n_head, head_dim, dim);
    merge_heads(back, apart, batch, length, n_head, head_dim, dim);
    know_axes(batch, length, n_head, head_dim);
    CHECK_CLOSE("merged", back, as_double(x, size), size, 1e-7);
}

/* Large enough for threads, and each size past 4096: merging into zeros undoes
 * splitting. */
Test(heads, merge_undoes_split, .timeout = 10) {
    check_back(3, 40, 5, 48);
    check_back(5003, 1, 2, 1);
    check_back(1, 5003, 2, 1);
    check_back(1, 2, 5003, 1);
    check_back(1, 2, 2, 5003);
}
