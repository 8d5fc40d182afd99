/* One number of a file, of any type: its bytes are copied in from any alignment and
 * read as the type that they are of. */
#ifndef CHECKPOINTS_ELEMENT_H
#define CHECKPOINTS_ELEMENT_H

#include <stdint.h>

typedef union {
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    float f32;
    double f64;
} Element;

#endif
