/* Tests of common/weight: every kind gives the rows and the products of its floats, to
 * the last bit. */
#include "weights/weight.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "math/half.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"
#include "weights/weight_blocks.h"

/* All 65536 halves against the definition: sign, exponent, fraction. */
Test(weight, every_half_is_its_float, .timeout = 10) {
    for (uint32_t bits = 0; bits < 65536; bits++) {
        int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
        double value = exponent == 0 ? ldexp(fraction, -24)
                                     : ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31) value = fraction ? NAN : INFINITY;
        if (bits & 0x8000) value = -value;
        float got = half_to_float((uint16_t)bits);
        bool same = isnan(value)
                        ? isnan(got)
                        : (double)got == value && !signbit(got) == !signbit(value);
        CHECK(same, "half 0x%04x is %g, expected %g", bits, (double)got, value);
    }
}

Test(weight, bfloat_is_the_upper_half, .timeout = 10) {
    CHECK(bfloat_to_float(0x3f80) == 1.0f && bfloat_to_float(0xc048) == -3.125f,
          "0x3f80 is %g, 0xc048 is %g", (double)bfloat_to_float(0x3f80),
          (double)bfloat_to_float(0xc048));
    CHECK(bfloat_to_float(0x0001) == 0x1p-133f && isinf(bfloat_to_float(0x7f80)) &&
              isnan(bfloat_to_float(0x7fc0)),
          "the smallest, infinity or NaN is wrong");
}

Test(weight, floats_are_rounded_to_the_nearest_half, .timeout = 10) {
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        float half = half_to_float((uint16_t)bits),
              next = half_to_float((uint16_t)(bits + 1));
        float middle = bits == 0x7bff ? 65520.0f : 0.5f * (half + next);
        uint32_t even = bits + bits % 2;
        CHECK(float_to_half(half) == bits && float_to_half(-half) == (bits | 0x8000),
              "0x%04x comes back as 0x%04x", bits, float_to_half(half));
        CHECK(float_to_half(nextafterf(middle, 0)) == bits &&
                  float_to_half(middle) == even &&
                  float_to_half(nextafterf(middle, INFINITY)) == bits + 1,
              "around %g, between 0x%04x and the next", (double)middle, bits);
    }
    CHECK(float_to_half(INFINITY) == 0x7c00 && isnan(half_to_float(float_to_half(NAN))),
          "infinity or NaN");
    CHECK(float_to_bfloat(1.00390625f) == 0x3f80 &&
              float_to_bfloat(1.01171875f) == 0x3f82 &&
              float_to_bfloat(-1.00390637f) == 0xbf81 &&
              isnan(bfloat_to_float(float_to_bfloat(NAN))),
          "bfloat16: ties go to the even one");
}

/* A kind that knows nothing but how to read parts of rows in blocks of 32: w[r][c] = r
 * - c / 8. */
static size_t no_bytes(const Weight *w) {
    return 0 * w->rows;
}

static void read_ramp(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    cr_assert(first % 32 == 0 && (n % 32 == 0 || first + n == w->cols),
              "a part from %zu, %zu long, of %zu", first, n, w->cols);
    for (size_t i = 0; i < n; i++) out[i] = (float)row - (float)(first + i) / 8;
}

static const WeightType ramp = {
    .name = "ramp", .bytes = no_bytes, .read = read_ramp, .block = 32};

/* Both products of n vectors against matmul of the rows as floats. */
static void check_products(const Weight *w, size_t n) {
    size_t rows = w->rows, cols = w->cols;
    float *floats = nan_floats(rows * cols),
          *x = normal_floats(n * (rows > cols ? rows : cols), 1, 2);
    for (size_t r = 0; r < rows; r++) weight_row(floats + r * cols, w, r);
    for (int transposed = 0; transposed < 2; transposed++) {
        size_t size = n * (transposed ? rows : cols);
        for (int with = 0; with < 2; with++) {
            float *bias = with ? normal_floats(size / n, 1, 3) : NULL;
            float *got = nan_floats(size), *expected = nan_floats(size);
            for (size_t i = 0; i < size && bias; i++)
                expected[i] = bias[i % (size / n)];
            if (transposed) {
                weight_multiply_transposed(got, x, w, bias, n);
                matmul_a_bt(expected, x, floats, n, rows, cols, with);
            } else {
                weight_multiply(got, x, w, bias, n);
                matmul(expected, x, floats, n, cols, rows, with);
            }
            CHECK(memcmp(got, expected, size * sizeof *got) == 0,
                  "%s %zu x %zu, %zu vectors, transposed %d, bias %d: other bits",
                  w->type->name, rows, cols, n, transposed, with);
            free(got);
            free(expected);
            free(bias);
        }
    }
    free(floats);
    free(x);
}

Test(weight, products_have_the_bits_of_floats, .timeout = 60) {
    static const size_t sizes[][2] = {{1, 1},     {3, 5},     {64, 64}, {65, 33},
                                      {100, 700}, {300, 257}, {0, 4}};
    for (int threads = 1; threads <= 3; threads++) {
        threads_use((size_t)threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t rows = sizes[s][0], cols = sizes[s][1];
            float *floats = normal_floats(rows * cols + 1, 1, 1);
            /* From an odd address on, as a file's may be. */
            char *bytes = malloc((rows * cols + 1) * sizeof(uint16_t)),
                 *shifted = malloc((rows * cols + 1) * sizeof *floats);
            for (size_t i = 0; i < rows * cols; i++) {
                uint16_t half =
                    (uint16_t)((i * 40503 + 77) % 0x7c00 | (i % 3 ? 0 : 0x8000));
                memcpy(bytes + 1 + i * sizeof half, &half, sizeof half);
            }
            for (size_t n = 1; n <= 13; n += 4) {
                check_products(&(Weight){.type = &weight_f16,
                                         .data = bytes + 1,
                                         .rows = rows,
                                         .cols = cols},
                               n);
                check_products(&(Weight){.type = &weight_bf16,
                                         .data = bytes + 1,
                                         .rows = rows,
                                         .cols = cols},
                               n);
                check_products(&(Weight){.type = &ramp, .rows = rows, .cols = cols}, n);
                Weight plain = weight_of_floats(floats, rows, cols);
                check_products(&plain, n);
                plain.data = memcpy(shifted + 1, floats, rows * cols * sizeof *floats);
                check_products(&plain, n);
            }
            free(floats);
            free(shifted);
            free(bytes);
        }
    }
}

/* Every bit pattern of blocks but those whose scales are no finite numbers; from an odd
 * address on. */
static char *any_blocks(const WeightType *type, size_t rows, size_t cols) {
    static const struct {
        const WeightType *type;
        size_t bytes, scales[2];
    } kinds[] = {{&weight_q8_0, sizeof(BlockQ8_0), {0, 0}},
                 {&weight_q4_0, sizeof(BlockQ4_0), {0, 0}},
                 {&weight_q4_1, sizeof(BlockQ4_1), {0, 2}},
                 {&weight_q5_0, sizeof(BlockQ5_0), {0, 0}},
                 {&weight_q5_1, sizeof(BlockQ5_1), {0, 2}},
                 {&weight_q4_k, sizeof(BlockQ4_K), {0, 2}},
                 {&weight_q6_k, sizeof(BlockQ6_K), {208, 208}}};
    size_t k = 0,
           bytes = weight_bytes(&(Weight){.type = type, .rows = rows, .cols = cols});
    while (kinds[k].type != type) k++;
    char *data = malloc(bytes + 1);
    uint32_t random = 1;
    for (size_t i = 0; i < bytes; i++)
        data[i + 1] = (char)((random = random * 1664525 + 1013904223) >> 24);
    for (size_t b = 0; b < bytes / kinds[k].bytes; b++) {
        for (int s = 0; s < 2; s++)
            data[1 + b * kinds[k].bytes + kinds[k].scales[s] + 1] &= (char)0xbb;
    }
    return data;
}

Test(weight, blocks_have_the_products_of_their_floats, .timeout = 60) {
    const WeightType *types[] = {&weight_q8_0, &weight_q4_0, &weight_q4_1, &weight_q5_0,
                                 &weight_q5_1, &weight_q4_k, &weight_q6_k};
    for (int threads = 1; threads <= 3; threads++) {
        threads_use((size_t)threads);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            for (size_t blocks = 1; blocks <= 5; blocks += 2) {
                size_t rows = 30 + 37 * (blocks - 1) * (blocks - 1),
                       cols = blocks * types[t]->block;
                char *data = any_blocks(types[t], rows, cols);
                for (size_t n = 1; n <= 4; n++)
                    check_products(&(Weight){.type = types[t],
                                             .data = data + 1,
                                             .rows = rows,
                                             .cols = cols},
                                   n);
                free(data);
            }
        }
    }
}

Test(weight, a_transposed_weight_is_its_transpose, .timeout = 10) {
    enum { ROWS = 33, COLS = 64 };
    char *data = any_blocks(&weight_q4_0, ROWS, COLS);
    Weight stored = {.type = &weight_q4_0,
                     .data = data + 1,
                     .rows = ROWS,
                     .cols = COLS},
           w = weight_transpose(&stored);
    float *floats = nan_floats(ROWS * COLS), *transposed = nan_floats(ROWS * COLS);
    weight_to_floats(floats, &stored);
    weight_to_floats(transposed, &w);
    CHECK(w.rows == COLS && w.cols == ROWS && weight_bytes(&w) == ROWS * 36,
          "%zu x %zu, %zu bytes", w.rows, w.cols, weight_bytes(&w));
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLS; c++)
            CHECK(transposed[c * ROWS + r] == floats[r * COLS + c],
                  "row %zu, column %zu", r, c);
    }
    for (size_t n = 1; n <= 5; n += 4) {
        float *x = normal_floats(n * COLS, 1, 1), *got = nan_floats(n * COLS),
              *expected = nan_floats(n * COLS);
        weight_multiply(got, x, &w, NULL, n);
        matmul(expected, x, transposed, n, ROWS, COLS, false);
        CHECK(memcmp(got, expected, n * ROWS * sizeof *got) == 0, "x W of %zu vectors",
              n);
        weight_multiply_transposed(got, x, &w, NULL, n);
        matmul_a_bt(expected, x, transposed, n, COLS, ROWS, false);
        CHECK(memcmp(got, expected, n * COLS * sizeof *got) == 0,
              "x W^T of %zu vectors", n);
        free(x);
        free(got);
        free(expected);
    }
    free(data);
    free(floats);
    free(transposed);
}

/* tests/golden/gguf/blocks.safetensors: what ggml made of each row of x, and what that
 * stands for. */
Test(weight, blocks_stand_for_these_floats, .timeout = 10) {
    static const struct {
        const char *name;
        const WeightType *type;
    } kinds[] = {{"q8_0", &weight_q8_0}, {"q4_0", &weight_q4_0}, {"q4_1", &weight_q4_1},
                 {"q5_0", &weight_q5_0}, {"q5_1", &weight_q5_1}, {"q4_k", &weight_q4_k},
                 {"q6_k", &weight_q6_k}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t shape[SAFETENSORS_MAX_NDIM], n;
        char blocks[32], floats[32];
        snprintf(blocks, sizeof blocks, "blocks.%s", kinds[k].name);
        snprintf(floats, sizeof floats, "floats.%s", kinds[k].name);
        golden_shape("gguf/blocks", NULL, "x", shape);
        const SafeTensor *stored = safetensors_find(golden_file("gguf/blocks"), blocks);
        float *expected = golden_float("gguf/blocks", NULL, floats, &n),
              *got = nan_floats(n);
        Weight w = {.type = kinds[k].type,
                    .data = stored->data,
                    .rows = shape[0],
                    .cols = shape[1]};
        CHECK(weight_bytes(&w) == stored->bytes, "%s: %zu bytes", blocks,
              weight_bytes(&w));
        weight_to_floats(got, &w);
        for (size_t i = 0; i < n; i++)
            CHECK(got[i] == expected[i],
                  "%s: row %zu, column %zu is %.9g, expected %.9g", blocks,
                  i / shape[1], i % shape[1], (double)got[i], (double)expected[i]);
        free(got);
    }
}

Test(weight, a_tensor_is_a_weight, .timeout = 10) {
    float data[6] = {1, 2, 3, 4, 5, 6}, row[3];
    Tensor x = {.ndim = 2, .shape = {2, 3}, .data = data};
    Weight w = tensor_weight(&x);
    weight_row(row, &w, 1);
    CHECK(weight_bytes(&w) == 24 && row[0] == 4 && row[2] == 6,
          "%zu bytes, row 1 is %g %g %g", weight_bytes(&w), (double)row[0],
          (double)row[1], (double)row[2]);
    Weight half = {.type = &weight_f16,
                   .data = (uint16_t[]){0x3c00, 0x4000, 0xc000, 0},
                   .rows = 2,
                   .cols = 2};
    Tensor stored = {.ndim = 2, .shape = {2, 2}, .stored = &half};
    w = tensor_weight(&stored);
    weight_row(row, &w, 0);
    CHECK(weight_bytes(&w) == 8 && row[0] == 1 && row[1] == 2,
          "%zu bytes, row 0 is %g %g", weight_bytes(&w), (double)row[0],
          (double)row[1]);
}
