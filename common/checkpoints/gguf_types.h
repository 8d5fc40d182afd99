/* The numbers of GGUF files, for gguf.c and gguf_write.c. */
#ifndef CHECKPOINTS_GGUF_TYPES_H
#define CHECKPOINTS_GGUF_TYPES_H

#include <stdint.h>

#include "weights/weight.h"

static const char gguf_magic[4] = {'G', 'G', 'U', 'F'};
enum { GGUF_VERSION = 3, GGUF_ALIGNMENT = 32 };

/* Types of values. */
enum {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_TEXT,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
    GGUF_TYPES
};

/* Types of tensors that there is a WeightType for. */
static const struct {
    uint32_t number;
    const WeightType *type;
} gguf_tensor_types[] = {{0, &weight_f32},  {1, &weight_f16},   {2, &weight_q4_0},
                         {3, &weight_q4_1}, {6, &weight_q5_0},  {7, &weight_q5_1},
                         {8, &weight_q8_0}, {12, &weight_q4_k}, {14, &weight_q6_k},
                         {30, &weight_bf16}};
enum { GGUF_TENSOR_TYPES = sizeof gguf_tensor_types / sizeof *gguf_tensor_types };

#endif
