/* The codecs: ggml's bytes where its rules are fixed, theory on white noise, and
 * products that equal those of the decoded floats. */
#include "14-compression/codec.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/kmeans.h"
#include "check/check.h"
#include "check/golden.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"

static Weight encode(const char *name, const Matrix *m) {
    double value;
    const Codec *codec = codec_find(name, &value);
    return codec_encode(codec, value, m);
}

static void free_weight(Weight *w) {
    free((void *)(uintptr_t)w->data);
}

static Matrix golden_matrix(void) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("gguf/blocks", NULL, "x", shape);
    return (Matrix){.data = golden_float("gguf/blocks", NULL, "x", NULL),
                    .rows = shape[0],
                    .cols = shape[1]};
}

Test(codecs, fixed_rules_give_ggmls_bytes, .timeout = 10) {
    static const char *const names[] = {"f16", "bf16", "q8_0", "q4_0", "q4_1"};
    Matrix m = golden_matrix();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char tensor[32];
        snprintf(tensor, sizeof tensor, "blocks.%s", names[k]);
        const SafeTensor *expected =
            safetensors_find(golden_file("gguf/blocks"), tensor);
        Weight w = encode(names[k], &m);
        CHECK(weight_bytes(&w) == expected->bytes, "%s: %zu bytes, expected %zu",
              names[k], weight_bytes(&w), expected->bytes);
        const uint8_t *got = w.data, *theirs = expected->data;
        for (size_t i = 0; i < expected->bytes; i++)
            CHECK(got[i] == theirs[i],
                  "%s: byte %zu of row %zu is 0x%02x, ggml's is 0x%02x", names[k],
                  i % (expected->bytes / m.rows), i / (expected->bytes / m.rows),
                  got[i], theirs[i]);
        free_weight(&w);
    }
}

/* Where ggml searches, so do we: row by row the error is at most a tenth larger, or
 * float16's rounding of a scale. */
Test(codecs, searched_scales_are_as_good_as_ggmls, .timeout = 10) {
    static const char *const names[] = {"q4_k", "q6_k"};
    Matrix m = golden_matrix();
    for (size_t k = 0; k < 2; k++) {
        char tensor[32];
        snprintf(tensor, sizeof tensor, "blocks.%s", names[k]);
        Weight w = encode(names[k], &m), theirs = w;
        theirs.data = safetensors_find(golden_file("gguf/blocks"), tensor)->data;
        for (size_t r = 0; r < m.rows; r++) {
            Matrix row = {.data = m.data + r * m.cols, .rows = 1, .cols = m.cols};
            size_t bytes = weight_bytes(&w) / m.rows;
            Weight a = {.type = w.type,
                        .data = (const char *)w.data + r * bytes,
                        .rows = 1,
                        .cols = m.cols};
            Weight b = {.type = w.type,
                        .data = (const char *)theirs.data + r * bytes,
                        .rows = 1,
                        .cols = m.cols};
            double ours = codec_error(&a, &row), ggmls = codec_error(&b, &row);
            CHECK(ours <= 1.1 * ggmls + 0x1p-11,
                  "%s, row %zu: the error is %.5f, ggml's %.5f", names[k], r, ours,
                  ggmls);
        }
        free_weight(&w);
    }
}

/* Noise, and sizes that fill no tile, block or byte. */
static const char *const all_forms[] = {
    "f16",       "bf16",      "q8_0",      "q6_k",          "q4_1",
    "q4_0",      "q4_k",      "q3",        "kmeans:3",      "svd:9",
    "dct:50",    "top-k:50",  "rbe:30",    "kmeans-rows:5", "rbe:8",
    "dct@16:20", "dct@64:99", "rbe@16:30", "rbe@64:30"};
enum { N_FORMS = sizeof all_forms / sizeof *all_forms };

/* Products that go their own way sum in another order than matmul: to 1e-5 of the
 * largest. */
Test(codecs, products_are_those_of_the_decoded_floats, .timeout = 60) {
    static const size_t sizes[][2] = {{70, 64}, {33, 288}, {32, 512}, {45, 50}};
    enum { MOST = 5 };
    for (size_t f = 0; f < N_FORMS * 4; f++) {
        size_t rows = sizes[f % 4][0], cols = sizes[f % 4][1];
        float *floats = normal_floats(rows * cols, 1, 1),
              *x = normal_floats(MOST * cols, 1, 2);
        Weight w = encode(all_forms[f / 4],
                          &(Matrix){.data = floats, .rows = rows, .cols = cols});
        float *decoded = nan_floats(rows * cols), *expected = nan_floats(MOST * rows),
              *first = NULL;
        weight_to_floats(decoded, &w);
        matmul_a_bt(expected, x, decoded, MOST, rows, cols, false);
        for (int threads = 1; threads <= 3; threads++) {
            threads_use((size_t)threads);
            float *got = nan_floats(MOST * rows), *one = nan_floats(rows),
                  *bias = normal_floats(rows, 1, 3);
            float *sum = nan_floats(rows);
            weight_multiply_transposed(got, x, &w, NULL, MOST);
            CHECK_CLOSE(all_forms[f / 4], got, as_double(expected, MOST * rows),
                        MOST * rows, 1e-5);
            if (!first) first = got;
            CHECK(memcmp(got, first, MOST * rows * sizeof *got) == 0,
                  "%s: %d threads give other bits", all_forms[f / 4], threads);
            weight_multiply_transposed(one, x + cols, &w, NULL, 1);
            CHECK(memcmp(one, got + rows, rows * sizeof *one) == 0,
                  "%s: one vector alone gives other bits", all_forms[f / 4]);
            weight_multiply_transposed(sum, x + cols, &w, bias, 1);
            double *with = as_double(bias, rows);
            for (size_t r = 0; r < rows; r++) with[r] += (double)one[r];
            CHECK_CLOSE("with a bias", sum, with, rows, 1e-5);
            free(with);
            free(one);
            free(sum);
            free(bias);
            if (got != first) free(got);
        }
        free(floats);
        free(x);
        free(decoded);
        free(expected);
        free(first);
        free_weight(&w);
    }
}

/* Parts of rows, as the products read them, are the row's. */
Test(codecs, parts_of_rows, .timeout = 10) {
    for (size_t f = 0; f < N_FORMS; f++) {
        enum { ROWS = 40, COLS = 512 };
        float *floats = normal_floats(ROWS * COLS, 1, 1), row[COLS], part[COLS];
        Weight w =
            encode(all_forms[f], &(Matrix){.data = floats, .rows = ROWS, .cols = COLS});
        for (size_t r = 0; r < ROWS; r += 13) {
            weight_row(row, &w, r);
            for (size_t first = 0; first < COLS; first += 256) {
                w.type->read(part, &w, r, first, 256);
                CHECK(memcmp(part, row + first, 256 * sizeof *part) == 0,
                      "%s: row %zu from column %zu", all_forms[f], r, first);
            }
        }
        free(floats);
        free_weight(&w);
    }
}

/* White noise: no transform helps, and nothing is below the rate-distortion bound 2^-R.
 * Errors beside what theory says of them: the largest fraction f of normal numbers
 * leaves sqrt(1 - f - 2 t phi(t)) with P(|x| > t) = f; Lloyd and Max's quantizers leave
 * 0.603, 0.343, 0.186, 0.0975. */
Test(codecs, theory_of_white_noise, .timeout = 60) {
    static const struct {
        const char *name;
        double error, tolerance;
    } forms[] = {{"top-k:92", 0.768, 0.01},    {"dct:92", 0.768, 0.01},
                 {"top-k:256", 0.526, 0.01},   {"dct:512", 0.267, 0.01},
                 {"kmeans:1", 0.603, 0.01},    {"kmeans:2", 0.343, 0.01},
                 {"kmeans:3", 0.186, 0.01},    {"kmeans:4", 0.0975, 0.02},
                 {"q8_0", 0.0054, 0.03},       {"q4_0", 0.0860, 0.02},
                 {"q4_1", 0.0782, 0.02},       {"q4_k", 0.0712, 0.03},
                 {"rbe:100", 0.763, 0.01},     {"dct@16:64", 0.526, 0.01},
                 {"dct@64:1024", 0.526, 0.01}, {"svd:4.5", 0.77, 0.03}};
    enum { ROWS = 512, COLS = 512 };
    for (unsigned seed = 1; seed <= 3; seed++) {
        float *noise = normal_floats(ROWS * COLS, 0.02, seed);
        Matrix m = {.data = noise, .rows = ROWS, .cols = COLS};
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            Weight w = encode(forms[f].name, &m);
            double error = codec_error(&w, &m), bound = exp2(-codec_bits(&w));
            CHECK(fabs(error / forms[f].error - 1) < forms[f].tolerance,
                  "%s: the error is %.4f, expected %.4f", forms[f].name, error,
                  forms[f].error);
            CHECK(error > bound,
                  "%s: the error %.4f is below the bound %.4f for %.3f bits: something "
                  "is not counted",
                  forms[f].name, error, bound, codec_bits(&w));
            free_weight(&w);
        }
        free(noise);
    }
}

/* All coefficients kept: what is left is float16's rounding. */
Test(codecs, everything_kept_is_everything, .timeout = 10) {
    static const char *const names[] = {"top-k:1024", "dct:1024",   "rbe:1032",
                                        "svd:32",     "dct@16:256", "dct@64:4096",
                                        "rbe@16:264", "rbe@64:4104"};
    float *floats = normal_floats(40 * 50, 1, 1);
    Matrix m = {.data = floats, .rows = 40, .cols = 50};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Weight w = encode(names[i], &m);
        CHECK(codec_error(&w, &m) < 1e-3, "%s: the error is %.5f", names[i],
              codec_error(&w, &m));
        free_weight(&w);
    }
    free(floats);
}

/* A matrix of rank 3 at rank 2: what is lost is the smallest singular value. */
Test(codecs, low_rank_keeps_the_largest_singular_values, .timeout = 10) {
    enum { ROWS = 12, COLS = 20 };
    const double sigma[3] = {5, 2, 1};
    float m[ROWS * COLS] = {0};
    for (int k = 0; k < 3; k++) { /* orthonormal vectors: cosines */
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++)
                m[r * COLS + c] +=
                    (float)(sigma[k] * sqrt(2.0 / ROWS) *
                            cos(3.14159265358979 * (r + 0.5) * (k + 1) / ROWS) *
                            sqrt(2.0 / COLS) *
                            cos(3.14159265358979 * (c + 0.5) * (k + 2) / COLS));
    }
    Matrix matrix = {.data = m, .rows = ROWS, .cols = COLS};
    double bits = 16.0 * 2.01 * (ROWS + COLS) / (ROWS * COLS);
    char name[32];
    snprintf(name, sizeof name, "svd:%.6f", bits);
    Weight w = encode(name, &matrix);
    CHECK_NUMBER("the error at rank 2", codec_error(&w, &matrix), 1 / sqrt(30), 0.01);
    free_weight(&w);
}

/* Inputs along one direction: the weighted rank 1 keeps what they see. */
Test(codecs, weighted_low_rank_keeps_what_inputs_see, .timeout = 10) {
    enum { N = 16 };
    float *m = normal_floats(N * N, 1, 1), *direction = normal_floats(N, 1, 2),
          moments[N * N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) moments[i * N + j] = direction[i] * direction[j];
    }
    Matrix matrix = {.data = m, .rows = N, .cols = N, .moments = moments};
    double off[2], all = 0;
    for (int weighted = 0; weighted < 2; weighted++) {
        Weight w = encode(weighted ? "svd-inputs:2" : "svd:2", &matrix);
        float got[N], expected[N];
        weight_multiply_transposed(got, direction, &w, NULL, 1);
        matmul_a_bt(expected, direction, m, 1, N, N, false);
        off[weighted] = all = 0;
        for (int i = 0; i < N; i++) {
            off[weighted] += pow((double)got[i] - (double)expected[i], 2);
            all += pow((double)expected[i], 2);
        }
        free_weight(&w);
    }
    CHECK(sqrt(off[1] / all) < 0.05 && off[1] < off[0] / 100,
          "outputs are off by %.4f weighted, %.4f not", sqrt(off[1] / all),
          sqrt(off[0] / all));
    free(m);
    free(direction);
}

/* tr(E H E^T): what errors cost at the outputs. */
static double output_error(const Weight *w, const Matrix *m) {
    float *row = nan_floats(m->cols);
    double sum = 0;
    for (size_t r = 0; r < m->rows; r++) {
        weight_row(row, w, r);
        for (size_t c = 0; c < m->cols; c++) row[c] -= m->data[r * m->cols + c];
        for (size_t i = 0; i < m->cols; i++)
            for (size_t j = 0; j < m->cols; j++)
                sum += (double)row[i] * (double)m->moments[i * m->cols + j] *
                       (double)row[j];
    }
    free(row);
    return sum;
}

/* Correlated inputs: error feedback takes at least half of what rounding costs; without
 * correlation, nothing. */
Test(codecs, gptq_helps_where_inputs_are_correlated, .timeout = 60) {
    enum { ROWS = 24, COLS = 96 };
    static const char *const pairs[][2] = {{"q4_0", "gptq4"}, {"q3", "gptq3"}};
    float *floats = normal_floats(ROWS * COLS, 1, 1),
          *correlated = nan_floats(COLS * COLS), *white = nan_floats(COLS * COLS);
    for (int i = 0; i < COLS; i++) {
        for (int j = 0; j < COLS; j++) {
            correlated[i * COLS + j] = (float)pow(0.9, abs(i - j));
            white[i * COLS + j] = (float)(i == j);
        }
    }
    for (int p = 0; p < 2; p++) {
        for (int helps = 0; helps < 2; helps++) {
            Matrix m = {.data = floats,
                        .rows = ROWS,
                        .cols = COLS,
                        .moments = helps ? correlated : white};
            Weight plain = encode(pairs[p][0], &m), fed = encode(pairs[p][1], &m);
            double ratio = output_error(&fed, &m) / output_error(&plain, &m);
            CHECK(weight_bytes(&plain) == weight_bytes(&fed), "%s takes other bytes",
                  pairs[p][1]);
            CHECK(helps ? ratio < 0.5 : ratio > 0.98 && ratio < 1.02,
                  "%s: %.3f of the error of %s, inputs %s", pairs[p][1], ratio,
                  pairs[p][0], helps ? "correlated" : "white");
            free_weight(&plain);
            free_weight(&fed);
        }
    }
    free(floats);
    free(correlated);
    free(white);
}

Test(codecs, kmeans_finds_two_heaps, .timeout = 10) {
    const float x[] = {1, 10, 1.5f, 11, 0.5f, 10.5f, 1, 10.5f};
    float centres[2];
    kmeans_centres(centres, 2, x, 8);
    CHECK(centres[0] == 1 && centres[1] == 10.5f, "centres %g and %g",
          (double)centres[0], (double)centres[1]);
    kmeans_centres(centres, 2, (float[]){3}, 1); /* fewer numbers than centres */
    CHECK(centres[0] == 3 && centres[1] == 3, "centres of one number: %g and %g",
          (double)centres[0], (double)centres[1]);
}

Test(codecs, rows_that_are_no_blocks_fall_back, .timeout = 10) {
    static const struct {
        const char *name;
        size_t cols;
        const WeightType *type;
    } forms[] = {{"q4_k", 256, &weight_q4_k}, {"q4_k", 64, &weight_q4_1},
                 {"q4_k", 40, &weight_f16},   {"q6_k", 64, &weight_q8_0},
                 {"q6_k", 40, &weight_f16},   {"q4_0", 40, &weight_f16}};
    float *floats = normal_floats(2 * 256, 1, 1);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        Weight w = encode(forms[f].name,
                          &(Matrix){.data = floats, .rows = 2, .cols = forms[f].cols});
        CHECK(w.type == forms[f].type, "%s for rows of %zu became %s", forms[f].name,
              forms[f].cols, w.type->name);
        free_weight(&w);
    }
    free(floats);
}
