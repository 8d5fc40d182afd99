/* The format shared by the coded matrices of this chapter: they begin with one whole
 * number, the codec's parameter, and are packed in bits. */
#ifndef CHAPTER_14_STREAM_H
#define CHAPTER_14_STREAM_H

#include <stdint.h>
#include <string.h>

enum { STREAM_HEAD = 4 }; /* bytes */

static inline uint32_t stream_parameter(const void *stream) {
    uint32_t parameter;
    memcpy(&parameter, stream, sizeof parameter);
    return parameter;
}

static inline void stream_begin(void *stream, uint32_t parameter) {
    memcpy(stream, &parameter, sizeof parameter);
}

/* Number i of numbers of `bits` bits (at most 16), lowest bits first. bits_put wants
 * zeros there. */
static inline uint32_t bits_get(const uint8_t *from, size_t i, unsigned bits) {
    size_t at = i * bits;
    uint32_t value = 0;
    for (unsigned got = 0; got < bits;) {
        unsigned shift = (unsigned)(at % 8),
                 n = 8 - shift < bits - got ? 8 - shift : bits - got;
        value |= ((uint32_t)from[at / 8] >> shift & ((1u << n) - 1)) << got;
        got += n;
        at += n;
    }
    return value;
}

static inline void bits_put(uint8_t *to, size_t i, unsigned bits, uint32_t value) {
    size_t at = i * bits;
    for (unsigned done = 0; done < bits;) {
        unsigned shift = (unsigned)(at % 8),
                 n = 8 - shift < bits - done ? 8 - shift : bits - done;
        to[at / 8] |= (uint8_t)((value >> done & ((1u << n) - 1)) << shift);
        done += n;
        at += n;
    }
}

/* A float16 at any address. */
static inline uint16_t half_at(const void *from, size_t i) {
    uint16_t half;
    memcpy(&half, (const char *)from + i * sizeof half, sizeof half);
    return half;
}

static inline void half_put(void *to, size_t i, uint16_t half) {
    memcpy((char *)to + i * sizeof half, &half, sizeof half);
}

#endif
