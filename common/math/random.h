/* Random numbers that repeat: Philox 4x32-10
 * (Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3").
 *
 * The generator has no state but a counter: number i of a stream is a function of
 * (seed, stream, i) alone. So any thread can compute any part of a stream, and the
 * result is the same however the work is split. */
#ifndef MATH_RANDOM_H
#define MATH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t seed;   /* the key */
    uint64_t stream; /* independent sequences of one seed: initialization, data order,
                        dropout ... */
    uint64_t next;   /* the index of the next 32-bit number */
} Random;

Random random_create(uint64_t seed);

/* The same seed, another sequence. */
Random random_stream(uint64_t seed, uint64_t stream);

/* One Philox 4x32-10 block: four 32-bit numbers from a 128-bit counter and a 64-bit
 * key. */
void philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* Number `index` of the stream, and the next one. */
uint32_t random_at(const Random *r, uint64_t index);
uint32_t random_u32(Random *r);

/* Uniform in [0, 1): 24 bits for float, 53 for double (which takes two numbers). */
float random_float(Random *r);
double random_double(Random *r);

/* Numbers `index` to index + n - 1 of the stream as random_float gives them,
 * many blocks at a time: each costs a ninth of a random_at. */
void random_floats(float *out, const Random *r, uint64_t index, size_t n);

/* Uniform in 0 .. n-1, n > 0, without bias. */
uint32_t random_below(Random *r, uint32_t n);

/* Normal with mean 0 and deviation 1 (Box-Muller; two numbers each). */
double random_normal(Random *r);

/* Fills x with N(0, std^2). */
void random_fill_normal(Random *r, float *x, size_t n, float std);

#endif
