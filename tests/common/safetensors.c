/* Tests of common/safetensors: round trips, conversions, writing over an open file;
 * that a failed write leaves the old file is in file.c. Bad files are in
 * safetensors_hostile.c. */
#include "checkpoints/safetensors.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "check/remove_tree.h"

static const SafeTensor *need(const SafeTensors *file, const char *name) {
    const SafeTensor *t = safetensors_find(file, name);
    cr_assert_not_null(t, "tensor '%s' is not in '%s'", name, file->path);
    return t;
}

Test(safetensors, what_is_written_is_read, .timeout = 10) {
    char *directory = new_directory();
    const char *path = path_join(directory, "a.safetensors");
    const uint8_t mask[3] = {1, 0, 1};
    const float weight[6] = {1.5f, -0.0f, INFINITY, 1e-45f, 3.4e38f, -2.0f},
                scalar = 7.25f;
    const int64_t tokens[2] = {-1, 50256};
    const double exact[1] = {0.1};

    SafetensorsWriter *w = safetensors_begin(path);
    safetensors_add_metadata(w, "format", "pt");
    safetensors_add_metadata(w, "note", "quote \" and line\nbreak");
    safetensors_add(w, "mask", DTYPE_BOOL, 1, (size_t[]){3}, mask);
    safetensors_add(w, "weight", DTYPE_F32, 2, (size_t[]){2, 3}, weight);
    safetensors_add(w, "scalar", DTYPE_F32, 0, NULL, &scalar);
    safetensors_add(w, "tokens", DTYPE_I64, 1, (size_t[]){2}, tokens);
    safetensors_add(w, "empty", DTYPE_F32, 2, (size_t[]){0, 5}, NULL);
    safetensors_add(w, "odd \"name\"\n\\", DTYPE_F64, 1, (size_t[]){1}, exact);
    safetensors_commit(w);

    SafeTensors file = safetensors_open(path);
    cr_expect_eq(file.count, 6, "%zu tensors, expected 6", file.count);
    for (size_t i = 1; i < file.count; i++)
        cr_expect(strcmp(file.tensors[i - 1].name, file.tensors[i].name) < 0);
    cr_expect_str_eq(safetensors_metadata(&file, "format"), "pt");
    cr_expect_str_eq(safetensors_metadata(&file, "note"), "quote \" and line\nbreak");
    cr_expect_null(safetensors_metadata(&file, "Format"));
    cr_expect_null(safetensors_find(&file, "weigh"));
    cr_expect_null(safetensors_find(&file, "__metadata__"));

    const SafeTensor *t = need(&file, "weight");
    char text[SAFETENSORS_SHAPE_TEXT];
    cr_expect_str_eq(safetensors_shape_text(t, text), "[2, 3]");
    cr_expect(t->ndim == 2 && t->shape[0] == 2 && t->shape[1] == 3 && t->size == 6 &&
              t->bytes == 24);
    float floats[6];
    safetensors_to_float(floats, t);
    cr_expect_arr_eq(floats, weight, sizeof weight);

    t = need(&file, "scalar");
    safetensors_to_float(floats, t);
    cr_expect(t->ndim == 0 && t->size == 1 && floats[0] == scalar);
    cr_expect_str_eq(safetensors_shape_text(t, text), "[]");

    t = need(&file, "empty");
    safetensors_to_float(NULL, t);
    cr_expect(t->ndim == 2 && t->size == 0 && t->bytes == 0 && t->shape[1] == 5);

    int ints[3];
    safetensors_to_int(ints, need(&file, "tokens"));
    cr_expect(ints[0] == -1 && ints[1] == 50256);
    safetensors_to_int(ints, need(&file, "mask"));
    cr_expect(ints[0] == 1 && ints[1] == 0 && ints[2] == 1);

    double doubles[1];
    safetensors_to_double(doubles, need(&file, "odd \"name\"\n\\"));
    cr_expect_eq(doubles[0], 0.1);
    safetensors_close(&file);
    remove_tree(directory);
}

/* The demands of Hugging Face's reader on a file: the header's length a multiple of 8
 * (so that the data is aligned), no gaps, and each tensor at a multiple of its
 * element's size. Offsets are seen through the reader's data pointers. */
Test(safetensors, what_is_written_is_aligned, .timeout = 10) {
    char *directory = new_directory();
    const char *path = path_join(directory, "a.safetensors");
    const double numbers[8] = {0};
    const Dtype kinds[] = {DTYPE_U8,   DTYPE_F32, DTYPE_BF16, DTYPE_I64,
                           DTYPE_BOOL, DTYPE_F16, DTYPE_F32};
    SafetensorsWriter *w = safetensors_begin(path);
    for (int i = 0; i < 7; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        safetensors_add(w, name, kinds[i], 1, (size_t[]){3}, numbers);
    }
    safetensors_commit(w);

    SafeTensors file = safetensors_open(path);
    uint64_t header;
    memcpy(&header, file.map, sizeof header);
    cr_expect_eq(header % 8, 0, "header of %llu bytes", (unsigned long long)header);
    for (size_t i = 0; i < file.count; i++) {
        size_t place =
            (size_t)((const char *)file.tensors[i].data - (const char *)file.map);
        cr_expect_eq(place % dtype_bytes(file.tensors[i].dtype), 0,
                     "tensor %s begins at byte %zu", file.tensors[i].name, place);
    }
    /* Equal sizes keep the order of adding: t1 before t6. */
    cr_expect_lt(need(&file, "t1")->data, need(&file, "t6")->data);
    safetensors_close(&file);
    remove_tree(directory);
}

/* ---- numbers ---- */

/* One tensor in memory, as the reader would hand it out. */
static SafeTensor in_memory(Dtype dtype, size_t size, const void *data) {
    return (SafeTensor){.name = "t",
                        .file = "memory",
                        .dtype = dtype,
                        .ndim = 1,
                        .shape = {size},
                        .size = size,
                        .bytes = size * dtype_bytes(dtype),
                        .data = data};
}

/* A number with `exponent_bits` and `fraction_bits` after its sign, by the definition
 * of IEEE 754. */
static double by_definition(unsigned bits, int exponent_bits, int fraction_bits) {
    int biased = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    double fraction =
               ldexp((double)(bits & ((1u << fraction_bits) - 1)), -fraction_bits),
           value;
    if (biased == (1 << exponent_bits) - 1)
        value = fraction == 0 ? INFINITY : NAN;
    else if (biased == 0)
        value = ldexp(fraction, 1 - bias);
    else
        value = ldexp(1 + fraction, biased - bias);
    return bits >> (exponent_bits + fraction_bits) ? -value : value;
}

/* All 65536 of them: zeros of both signs, subnormal numbers, infinities, NaN. */
static void check_16_bits(Dtype dtype, int exponent_bits, int fraction_bits) {
    enum { ALL = 1 << 16 };
    uint16_t *bits = malloc(ALL * sizeof *bits);
    float *floats = malloc(ALL * sizeof *floats);
    double *doubles = malloc(ALL * sizeof *doubles);
    for (int i = 0; i < ALL; i++) bits[i] = (uint16_t)i;
    SafeTensor t = in_memory(dtype, ALL, bits);
    safetensors_to_float(floats, &t);
    safetensors_to_double(doubles, &t);
    for (int i = 0; i < ALL; i++) {
        double right = by_definition((unsigned)i, exponent_bits, fraction_bits),
               got = (double)floats[i];
        bool same = isnan(right) ? isnan(got) && isnan(doubles[i])
                                 : got == right && doubles[i] == right &&
                                       !signbit(got) == !signbit(right);
        cr_assert(same, "%s 0x%04x is %.17g, expected %.17g", dtype_name(dtype),
                  (unsigned)i, got, right);
    }
    free(bits);
    free(floats);
    free(doubles);
}

Test(safetensors, every_half_is_converted, .timeout = 10) {
    check_16_bits(DTYPE_F16, 5, 10);
}

Test(safetensors, every_bfloat_is_converted, .timeout = 10) {
    check_16_bits(DTYPE_BF16, 8, 7);
}

/* The lowest and the highest integer of each kind; where the bytes begin must not
 * matter. */
Test(safetensors, integers_are_converted, .timeout = 10) {
    static const struct {
        Dtype dtype;
        int64_t low, high;
    } kinds[] = {{DTYPE_BOOL, 0, 1},
                 {DTYPE_U8, 0, UINT8_MAX},
                 {DTYPE_I8, INT8_MIN, INT8_MAX},
                 {DTYPE_U16, 0, UINT16_MAX},
                 {DTYPE_I16, INT16_MIN, INT16_MAX},
                 {DTYPE_I32, INT32_MIN, INT32_MAX},
                 {DTYPE_U32, 0, INT32_MAX},
                 {DTYPE_I64, INT32_MIN, INT32_MAX},
                 {DTYPE_U64, 0, INT32_MAX}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t bytes = dtype_bytes(kinds[k].dtype);
        for (size_t shift = 0; shift < 8; shift++) {
            char memory[24];
            memcpy(memory + shift, &kinds[k].low, bytes);
            memcpy(memory + shift + bytes, &kinds[k].high, bytes);
            SafeTensor t = in_memory(kinds[k].dtype, 2, memory + shift);
            int ints[2];
            double doubles[2];
            safetensors_to_int(ints, &t);
            safetensors_to_double(doubles, &t);
            cr_expect(ints[0] == kinds[k].low && ints[1] == kinds[k].high,
                      "%s: %d and %d", dtype_name(t.dtype), ints[0], ints[1]);
            cr_expect(doubles[0] == (double)kinds[k].low &&
                          doubles[1] == (double)kinds[k].high,
                      "%s: %g and %g", dtype_name(t.dtype), doubles[0], doubles[1]);
        }
    }
}

Test(safetensors, large_integers_as_doubles, .timeout = 10) {
    const uint64_t large[1] = {UINT64_MAX};
    const int64_t low[1] = {INT64_MIN};
    SafeTensor t = in_memory(DTYPE_U64, 1, large);
    double out;
    safetensors_to_double(&out, &t);
    cr_expect_eq(out, 0x1p64);
    t = in_memory(DTYPE_I64, 1, low);
    safetensors_to_double(&out, &t);
    cr_expect_eq(out, -0x1p63);
}

static void convert_to_float(void *tensor) {
    float out[4];
    safetensors_to_float(out, tensor);
}

static void convert_to_int(void *tensor) {
    int out[4];
    safetensors_to_int(out, tensor);
}

Test(safetensors, what_does_not_convert_is_named, .timeout = 10) {
    const int64_t number[1] = {INT64_C(1) << 31};
    SafeTensor t = in_memory(DTYPE_I64, 1, number);
    expect_exit(EXIT_INPUT, "tensor 't': is I64, expected F32, F64, F16 or BF16",
                convert_to_float, &t);
    expect_exit(EXIT_INPUT, "tensor 't': element 0 does not fit an int", convert_to_int,
                &t);
    t.dtype = DTYPE_U64;
    expect_exit(EXIT_INPUT, "tensor 't': element 0 does not fit an int", convert_to_int,
                &t);
    t.data = &(uint64_t){UINT64_MAX};
    expect_exit(EXIT_INPUT, "tensor 't': element 0 does not fit an int", convert_to_int,
                &t);
    t.dtype = DTYPE_F32;
    expect_exit(EXIT_INPUT, "tensor 't': is F32, expected integers", convert_to_int,
                &t);
}

static void write_number(void *path) {
    const float number = 42;
    SafetensorsWriter *w = safetensors_begin(path);
    safetensors_add(w, "number", DTYPE_F32, 0, NULL, &number);
    safetensors_commit(w);
}

/* A write replaces the file without disturbing the map of the old one. */
Test(safetensors, open_file_stays_as_it_is, .timeout = 30) {
    char *directory = new_directory(), *path = path_join(directory, "a.safetensors");
    write_number(path);
    SafeTensors file = safetensors_open(path);
    SafetensorsWriter *w = safetensors_begin(path);
    safetensors_add(w, "zeros", DTYPE_F32, 1, (size_t[]){2}, (float[]){0, 0});
    safetensors_commit(w);
    float got = 0;
    safetensors_to_float(&got, need(&file, "number"));
    cr_expect_eq(got, 42);
    safetensors_close(&file);
    file = safetensors_open(path);
    cr_expect_eq(need(&file, "zeros")->size, 2);
    safetensors_close(&file);
    expect_exit(EXIT_INPUT, "cannot write '/nonexistent/a.safetensors'", write_number,
                (void *)"/nonexistent/a.safetensors");
    remove_tree(directory);
}

static void add_twice(void *unused) {
    (void)unused;
    SafetensorsWriter *w = safetensors_begin("unused");
    safetensors_add(w, "a", DTYPE_F32, 1, (size_t[]){0}, NULL);
    safetensors_add(w, "a", DTYPE_F32, 1, (size_t[]){0}, NULL);
}

static void add_metadata_as_tensor(void *unused) {
    (void)unused;
    safetensors_add(safetensors_begin("unused"), "__metadata__", DTYPE_F32, 1,
                    (size_t[]){0}, NULL);
}

Test(safetensors, writer_refuses_what_no_reader_takes, .timeout = 10) {
    expect_exit(EXIT_INPUT, "tensor 'a': added twice", add_twice, NULL);
    expect_exit(EXIT_INPUT, "cannot be called __metadata__", add_metadata_as_tensor,
                NULL);
}
