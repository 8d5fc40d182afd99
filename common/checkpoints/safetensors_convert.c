/* The numbers of safetensors files as floats, doubles and ints: see safetensors.h. */
#include "checkpoints/safetensors.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "checkpoints/element.h"
#include "math/half.h"

/* Element i, at any alignment. */
static Element element_at(const SafeTensor *t, size_t i) {
    Element e;
    memcpy(&e, (const char *)t->data + i * dtype_bytes(t->dtype),
           dtype_bytes(t->dtype));
    return e;
}

static _Noreturn void die_dtype(const SafeTensor *t, const char *expected) {
    safetensors_die(t, "is %s, expected %s", dtype_name(t->dtype), expected);
}

void safetensors_to_float(float *out, const SafeTensor *t) {
    switch (t->dtype) {
    case DTYPE_F32:
        if (t->bytes) memcpy(out, t->data, t->bytes);
        break;
    case DTYPE_F64:
        for (size_t i = 0; i < t->size; i++) out[i] = (float)element_at(t, i).f64;
        break;
    case DTYPE_F16:
        for (size_t i = 0; i < t->size; i++)
            out[i] = half_to_float(element_at(t, i).u16);
        break;
    case DTYPE_BF16:
        for (size_t i = 0; i < t->size; i++)
            out[i] = bfloat_to_float(element_at(t, i).u16);
        break;
    default:
        die_dtype(t, "F32, F64, F16 or BF16");
    }
}

/* The element as a 64-bit integer; U64 above the range of I64 keeps its bits and turns
 * negative. */
static int64_t integer_at(const SafeTensor *t, size_t i) {
    switch (t->dtype) {
    case DTYPE_BOOL:
    case DTYPE_U8:
        return element_at(t, i).u8;
    case DTYPE_I8:
        return element_at(t, i).i8;
    case DTYPE_I16:
        return element_at(t, i).i16;
    case DTYPE_U16:
        return element_at(t, i).u16;
    case DTYPE_I32:
        return element_at(t, i).i32;
    case DTYPE_U32:
        return element_at(t, i).u32;
    case DTYPE_I64:
        return element_at(t, i).i64;
    case DTYPE_U64:
        return (int64_t)element_at(t, i).u64;
    default:
        die_dtype(t, "integers");
    }
}

static double number_at(const SafeTensor *t, size_t i) {
    switch (t->dtype) {
    case DTYPE_F64:
        return element_at(t, i).f64;
    case DTYPE_F32:
        return (double)element_at(t, i).f32;
    case DTYPE_F16:
        return (double)half_to_float(element_at(t, i).u16);
    case DTYPE_BF16:
        return (double)bfloat_to_float(element_at(t, i).u16);
    case DTYPE_U64:
        return (double)element_at(t, i).u64;
    default:
        return (double)integer_at(t, i);
    }
}

void safetensors_to_double(double *out, const SafeTensor *t) {
    for (size_t i = 0; i < t->size; i++) out[i] = number_at(t, i);
}

void safetensors_expect_finite(const SafeTensor *t) {
    for (size_t i = 0; i < t->size; i++) {
        double value = number_at(t, i);
        if (!isfinite(value))
            safetensors_die(t, "its number %zu is %f, expected a finite one", i, value);
    }
}

void safetensors_to_int(int *out, const SafeTensor *t) {
    for (size_t i = 0; i < t->size; i++) {
        int64_t value = integer_at(t, i);
        bool wrapped = t->dtype == DTYPE_U64 && value < 0;
        if (wrapped || value < INT_MIN || value > INT_MAX)
            safetensors_die(t, "element %zu does not fit an int", i);
        out[i] = (int)value;
    }
}
