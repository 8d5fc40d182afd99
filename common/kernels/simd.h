/* Vectors of the machine's own width, written with the vector types of gcc and clang: +
 * and * on them read like arithmetic and compile for any processor. A wider type than
 * the machine has would work too, but gcc then takes it apart badly: 16 floats on a
 * machine with vectors of 8 are several times slower. */
#ifndef KERNELS_SIMD_H
#define KERNELS_SIMD_H

#include <stddef.h>

#if defined(__AVX512F__)
#define SIMD_WIDTH 16
#elif defined(__AVX__)
#define SIMD_WIDTH 8
#else
#define SIMD_WIDTH 4
#endif

/* Loops over lanes, and over the rows and vectors of a tile, have to be unrolled, or
 * their results are not kept in registers. With a sanitizer that takes a minute of
 * compiling, and such a build need not be quick. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef float Floats __attribute__((vector_size(SIMD_WIDTH * sizeof(float))));

/* The same vector where it lies in an array of floats: at any address of a float,
 * beside other floats. */
typedef float FloatsInMemory __attribute__((vector_size(SIMD_WIDTH * sizeof(float)),
                                            aligned(sizeof(float)), may_alias));

static inline Floats floats_load(const float *x) {
    return *(const FloatsInMemory *)x;
}
static inline void floats_store(float *x, Floats value) {
    *(FloatsInMemory *)x = value;
}

/* x in every lane: written lane by lane, gcc would go through memory. */
static inline Floats floats_all(float x) {
    return x - (Floats){0};
}

/* The result of a comparison of two vectors: all bits set where it holds, none where it
 * does not. */
typedef int Mask __attribute__((vector_size(SIMD_WIDTH * sizeof(int))));

/* The larger of each lane; b's where they do not compare. */
static inline Floats floats_max(Floats a, Floats b) {
    Mask larger = a > b; /* lane by lane, gcc would take the vectors apart */
    return (Floats)((larger & (Mask)a) | (~larger & (Mask)b));
}

/* a0 b0 a1 b1 ..., from the lower or the upper halves of a and b. */
#if SIMD_WIDTH == 16
#define LOW_PAIRS 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_PAIRS 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif SIMD_WIDTH == 8
#define LOW_PAIRS 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_PAIRS 4, 12, 5, 13, 6, 14, 7, 15
#else
#define LOW_PAIRS 0, 4, 1, 5
#define HIGH_PAIRS 2, 6, 3, 7
#endif

static inline Floats floats_interleave_low(Floats a, Floats b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, LOW_PAIRS);
#else
    return __builtin_shuffle(a, b, (Mask){LOW_PAIRS});
#endif
}

static inline Floats floats_interleave_high(Floats a, Floats b) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, HIGH_PAIRS);
#else
    return __builtin_shuffle(a, b, (Mask){HIGH_PAIRS});
#endif
}

#endif
