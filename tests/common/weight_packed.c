/* Tests of common/weight_packed: laid out differently, the same numbers and the same
 * bits of every product. */
#include "weights/weight_packed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "math/half.h"
#include "kernels/threads.h"
#include "weights/weight_blocks.h"

static const WeightType *const types[] = {&weight_f32,  &weight_f16,  &weight_bf16,
                                          &weight_q8_0, &weight_q4_0, &weight_q4_1};
enum { TYPES = sizeof types / sizeof *types };

/* Floats begin at the address of a float, all others at an odd one, as a file's may. */
static size_t bytes_before(const WeightType *type) {
    return type == &weight_f32 ? sizeof(float) : 1;
}

/* A weight of that type: any bits, but no infinite exponents; halves and scales may be
 * subnormal. */
static Weight any_weight(const WeightType *type, size_t rows, size_t cols,
                         bool transposed) {
    Weight w = {.type = type,
                .rows = transposed ? cols : rows,
                .cols = transposed ? rows : cols};
    size_t bytes = weight_bytes(&w);
    char *data = (char *)malloc(bytes + sizeof(float)) + bytes_before(type);
    uint32_t random = 1;
    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)((random = random * 1664525 + 1013904223) >> 24);
    size_t block = sizeof(uint16_t);
    if (type == &weight_q8_0) block = sizeof(BlockQ8_0);
    if (type == &weight_q4_0) block = sizeof(BlockQ4_0);
    if (type == &weight_q4_1) block = sizeof(BlockQ4_1);
    if (type == &weight_f32) block = sizeof(float);
    /* the byte with most of the exponent */
    for (size_t at = 0; at < bytes; at += block) {
        char *high = data + at + (type == &weight_f32 ? 3 : 1);
        *high &= (char)0xbb;
        if (type == &weight_q4_1) high[sizeof(uint16_t)] &= (char)0xbb; /* the min's */
        if (type == &weight_f32 || type == &weight_bf16)
            *high = (char)((*high & 0x81) | 0x3e);
    }
    w.data = data;
    return transposed ? weight_transpose(&w) : w;
}

static void free_weight(Weight *w) {
    free((char *)(uintptr_t)w->data - bytes_before(w->type));
}

static void check_product(const Weight *w, const Weight *panels, size_t n) {
    size_t most = w->rows > w->cols ? w->rows : w->cols;
    float *x = normal_floats(n * most, 1, 2);
    for (int transposed = 0; transposed < 2; transposed++) {
        for (int with = 0; with < 2; with++) {
            float *bias = with ? normal_floats(most, 1, 3) : NULL;
            float *expected = nan_floats(n * most), *got = nan_floats(n * most);
            WeightProduct *multiply =
                transposed ? weight_multiply_transposed : weight_multiply;
            multiply(expected, x, w, bias, n);
            multiply(got, x, panels, bias, n);
            CHECK(memcmp(got, expected, n * most * sizeof *got) == 0,
                  "%s %zu x %zu, %zu vectors, transposed %d, bias %d: other bits",
                  panels->type->name, w->rows, w->cols, n, transposed, with);
            free(got);
            free(expected);
            free(bias);
        }
    }
    free(x);
}

static void check_rows(const Weight *w, const Weight *panels) {
    float *expected = nan_floats(w->rows * w->cols),
          *got = nan_floats(w->rows * w->cols);
    weight_to_floats(expected, w);
    weight_to_floats(got, panels);
    CHECK(memcmp(got, expected, w->rows * w->cols * sizeof *got) == 0,
          "%s %zu x %zu: other numbers", panels->type->name, w->rows, w->cols);
    free(got);
    free(expected);
}

static void check_size(size_t rows, size_t cols) {
    static const size_t vectors[] = {1, 2, 3, 8, 9, 17, 70};
    for (size_t t = 0; t < TYPES; t++) {
        for (int transposed = 0; transposed < 2; transposed++) {
            bool blocks = types[t]->block > 1;
            if (blocks && (transposed || cols % BLOCK)) continue;
            Weight w = any_weight(types[t], rows, cols, transposed),
                   panels = weight_pack(&w, NULL);
            CHECK(panels.type && panels.rows == rows && panels.cols == cols,
                  "%s: no panels", types[t]->name);
            check_rows(&w, &panels);
            for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
                check_product(&w, &panels, vectors[v]);
            weight_packed_free(&panels);
            CHECK(!panels.type && !panels.data, "freed, and still there");
            free_weight(&w);
        }
    }
}

/* Around the widths of panels, and past the number of columns that become floats at a
 * time. */
Test(weight_packed, products_keep_their_bits, .timeout = 120) {
    static const size_t sizes[][2] = {{1, 1},    {5, 32},  {48, 64}, {49, 96},
                                      {31, 352}, {97, 33}, {0, 32},  {3, 0}};
    for (int threads = 1; threads <= 3; threads++) {
        threads_use((size_t)threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            check_size(sizes[s][0], sizes[s][1]);
    }
    check_size(300, 640); /* enough for several threads */
}

/* Blocks along the sums are needed, and of the other types there are no panels. */
Test(weight_packed, what_has_none_says_so, .timeout = 10) {
    char data[144] = {0};
    Weight q4_k = {.type = &weight_q4_k, .data = data, .rows = 1, .cols = 256},
           q8_0 = {.type = &weight_q8_0, .data = data, .rows = 1, .cols = 32};
    Weight transposed = weight_transpose(&q8_0), a = weight_pack(&q4_k, NULL),
           b = weight_pack(&transposed, NULL);
    CHECK(!a.type && !a.data && !b.type && !b.data, "panels of Q4_K, or across blocks");
}
