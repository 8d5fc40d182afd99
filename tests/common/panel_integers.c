/* Tests of common/panel_integers: the bits of the formula, by every kernel. */
#include "weights/panel_integers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "kernels/threads.h"
#include "math/half.h"
#include "weights/weight_blocks.h"
#include "weights/weight_packed.h"

static const struct {
    const WeightType *type;
    size_t bytes, halves; /* of a block */
} kinds[] = {{&weight_q8_0, sizeof(BlockQ8_0), 1},
             {&weight_q4_0, sizeof(BlockQ4_0), 1},
             {&weight_q4_1, sizeof(BlockQ4_1), 2}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The numbers of the weight and the vectors: any, or the extreme ones. */
typedef enum { ANY, LOWEST, HIGHEST } Numbers;

/* Blocks from an odd address on, as a file's may be; scales are finite. */
static char *make_blocks(size_t k, size_t n, Numbers numbers) {
    char *data = (char *)malloc(n * kinds[k].bytes + 1) + 1;
    uint32_t random = 1;
    for (size_t i = 0; i < n * kinds[k].bytes; i++) {
        char *byte = data + i;
        size_t at = i % kinds[k].bytes;
        *byte = (char)((random = random * 1664525 + 1013904223) >> 24);
        if (at < kinds[k].halves * sizeof(uint16_t))
            *byte &= at % 2 ? (char)0xbb : (char)0xff;
        else if (numbers == LOWEST)
            *byte = k == 0 ? -128 : 0;
        else if (numbers == HIGHEST)
            *byte = k == 0 ? 127 : (char)0xff;
    }
    return data;
}

static float *make_vectors(size_t n, Numbers numbers) {
    float *x = normal_floats(n + 1, 1, 2);
    for (size_t i = 0; i < n; i++) {
        if (numbers != ANY) x[i] = 1; /* of which each block's q are 127 */
        if (numbers == LOWEST && i / BLOCK % 2) x[i] = -1;
    }
    return x;
}

static int number_of(size_t k, const char *block, int i) {
    const char *q = block + kinds[k].halves * sizeof(uint16_t);
    if (k == 0) return ((const int8_t *)q)[i];
    int byte = ((const uint8_t *)q)[i % (BLOCK / 2)],
        half = i < BLOCK / 2 ? byte & 15 : byte >> 4;
    return k == 1 ? half - 8 : half;
}

static float half_at(const char *block, size_t i) {
    uint16_t half;
    memcpy(&half, block + i * sizeof half, sizeof half);
    return half_to_float(half);
}

/* A row times a vector, as the header says. */
static float product(size_t k, const char *row, const float *x, size_t blocks) {
    float sum = 0;
    for (size_t b = 0; b < blocks; b++, row += kinds[k].bytes) {
        BlockQ8_0 inputs;
        block_of_inputs(&inputs, x + b * BLOCK);
        int whole = 0, all = 0;
        for (int i = 0; i < BLOCK; i++) {
            whole += number_of(k, row, i) * inputs.q[i];
            all += inputs.q[i];
        }
        float scale = half_to_float(inputs.scale);
        sum = fmaf((float)whole, half_at(row, 0) * scale, sum);
        if (k == 2) sum = fmaf((float)all, half_at(row, 1) * scale, sum);
    }
    return sum;
}

static void check_products(const Weight *w, const char *how, const float *x,
                           const float *expected, const float *bias, size_t n) {
    float *got = nan_floats(n * w->rows), *with = nan_floats(n * w->rows);
    weight_multiply_transposed(got, x, w, NULL, n);
    CHECK(memcmp(got, expected, n * w->rows * sizeof *got) == 0,
          "%s %s, %zu x %zu, %zu vectors: other bits", w->type->name, how, w->rows,
          w->cols, n);
    Weight transposed = weight_transpose(w);
    weight_multiply(with, x, &transposed, bias, n);
    for (size_t i = 0; i < n * w->rows; i++) got[i] = expected[i] + bias[i % w->rows];
    CHECK(memcmp(got, with, n * w->rows * sizeof *got) == 0,
          "%s %s, %zu x %zu, %zu vectors, with a bias: other bits", w->type->name, how,
          w->rows, w->cols, n);
    free(got);
    free(with);
}

static void check_rows(const Weight *floats, const Weight *w) {
    size_t n = floats->rows * floats->cols;
    float *expected = nan_floats(n), *got = nan_floats(n);
    weight_to_floats(expected, floats);
    weight_to_floats(got, w);
    CHECK(memcmp(got, expected, n * sizeof *got) == 0, "%s %zu x %zu: other numbers",
          w->type->name, w->rows, w->cols);
    free(got);
    free(expected);
}

static void check_size(size_t rows, size_t cols, size_t most, Numbers numbers) {
    size_t blocks = cols / BLOCK;
    float *x = make_vectors(most * cols, numbers),
          *bias = normal_floats(rows + 1, 1, 3);
    for (size_t k = 0; k < KINDS; k++) {
        char *data = make_blocks(k, rows * blocks, numbers);
        Weight floats = {
            .type = kinds[k].type, .data = data, .rows = rows, .cols = cols};
        Weight filed = floats;
        CHECK(weight_has_integers(&filed), "%s: not known", kinds[k].type->name);
        CHECK(weight_use_integers(&filed), "%s: no whole numbers", kinds[k].type->name);
        CHECK(!weight_has_integers(&filed), "%s: once more", kinds[k].type->name);
        Weight panels = weight_pack(&filed, NULL);
        CHECK(panels.type && panels.type != kinds[k].type, "no panels");
        check_rows(&floats, &filed);
        check_rows(&floats, &panels);
        float *expected = nan_floats(most * rows);
        for (size_t i = 0; i < most * rows; i++)
            expected[i] = product(k, data + i % rows * blocks * kinds[k].bytes,
                                  x + i / rows * cols, blocks);
        for (size_t n = 1; n <= most; n += n < 4 ? 1 : 13) {
            check_products(&filed, "as filed", x, expected, bias, n);
            check_products(&panels, "laid out", x, expected, bias, n);
        }
        free(expected);
        weight_packed_free(&panels);
        free(data - 1);
    }
    free(x);
    free(bias);
}

/* Around the widths of panels. */
Test(panel_integers, bits_are_those_of_the_formula, .timeout = 120) {
    static const size_t sizes[][2] = {{1, 32},  {5, 64},   {11, 32}, {12, 96},
                                      {13, 32}, {31, 352}, {33, 32}, {48, 64},
                                      {49, 96}, {97, 160}, {0, 32},  {3, 0}};
    for (int threads = 1; threads <= 3; threads++) {
        threads_use((size_t)threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            check_size(sizes[s][0], sizes[s][1], 17, ANY);
        check_size(300, 640, 4, ANY); /* enough for several threads */
    }
}

/* 255 * 127 twice is more than 16 bits hold. */
Test(panel_integers, the_largest_numbers, .timeout = 60) {
    check_size(50, 128, 4, LOWEST);
    check_size(50, 128, 4, HIGHEST);
}

Test(panel_integers, other_types_stay, .timeout = 10) {
    float data[256] = {0};
    const WeightType *types[] = {&weight_f32, &weight_f16, &weight_q4_k, &weight_q6_k};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        Weight w = {.type = types[i], .data = data, .rows = 1, .cols = 256};
        CHECK(!weight_has_integers(&w), "%s has whole numbers", types[i]->name);
        CHECK(!weight_use_integers(&w) && w.type == types[i], "%s became another type",
              types[i]->name);
    }
}

/* Inputs that are no numbers are not rounded away. */
Test(panel_integers, odd_inputs, .timeout = 10) {
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY};
    BlockQ8_0 w = {.scale = float_to_half(1), .q = {0, 1}};
    Weight q8_0 = {.type = &weight_q8_0, .data = &w, .rows = 1, .cols = BLOCK};
    weight_use_integers(&q8_0);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        float x[BLOCK] = {3, 1, odd[i]}, out;
        weight_multiply_transposed(&out, x, &q8_0, NULL, 1);
        CHECK(isnan(out), "an input of %g: %g", (double)odd[i], (double)out);
    }
    float x[BLOCK] = {3e-45f, 3e-39f}, out;
    weight_multiply_transposed(&out, x, &q8_0, NULL, 1);
    CHECK(out == 0, "tiny inputs: %g", (double)out);
}
