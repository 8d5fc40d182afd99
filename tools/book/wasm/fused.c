/* Multiply-adds of 10^8 triples, as a hash for each kind of them: the same with fused.h
 * (where no instruction does it) and with fmaf. tools/test/check-bits.sh compares what
 * this prints for WebAssembly with this machine's. */
#include "kernels/fused.h"

#include <math.h>
#include <stdio.h>

#include "math/fmath.h"

enum { GROUPS = 5000000, LANES = 4, KINDS = 5 };

static uint64_t state = 1;

static uint32_t random_bits(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Of either sign, with an exponent from low to high. */
static float between(int low, int high) {
    uint32_t exponent =
        (uint32_t)(low + 127) + random_bits() % (uint32_t)(high - low + 1);
    return bits_float((random_bits() & 0x807fffff) | exponent << 23);
}

/* 1 + i 2^-23 for a small i, often negative. */
static float near_one(void) {
    return 1.0f + (float)((int)(random_bits() % 64) - 32) * 0x1p-24f;
}

static void triple(int kind, float *a, float *b, float *c) {
    switch (kind) {
    case 0: /* any bits: infinities, NaN and subnormals among them */
        *a = bits_float(random_bits());
        *b = bits_float(random_bits());
        *c = bits_float(random_bits());
        return;
    case 1: /* product and sum of one size */
        *a = between(-3, 3);
        *b = between(-3, 3);
        *c = between(-8, 8);
        return;
    case 2: { /* a product that is half of c's last digit, and 2^-24 to 2^-46 of it more
                 or less */
        *c = between(-60, 60);
        float half = ldexpf(1.0f, ilogbf(*c) - 24) * (random_bits() & 1 ? 1.0f : -1.0f);
        *a = near_one();
        *b = near_one() * half;
        return;
    }
    case 3: { /* the same below the normal floats */
        *c = bits_float(random_bits() & 0x80ffffff);
        *a = near_one() * 0x1p-70f;
        *b = near_one() * (random_bits() & 1 ? 0x1p-80f : -0x1p-80f);
        return;
    }
    default: /* nearly nothing is left */
        *a = between(-3, 3);
        *b = between(-3, 3);
        *c = bits_float(float_bits(-*a * *b) + random_bits() % 5 - 2);
    }
}

static void multiply_adds(float out[LANES], const float *a, const float *b,
                          const float *c) {
#ifdef __wasm__
    floats_store(out,
                 fused_multiply_add(floats_load(a), floats_load(b), floats_load(c)));
#else
    for (int l = 0; l < LANES; l++) out[l] = fmaf(a[l], b[l], c[l]);
#endif
}

int main(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t hash = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            float a[LANES], b[LANES], c[LANES], out[LANES];
            for (int l = 0; l < LANES; l++) triple(kind, &a[l], &b[l], &c[l]);
            multiply_adds(out, a, b, c);
            for (int l = 0; l < LANES; l++) /* one NaN for all */
                hash = (hash ^ (out[l] == out[l] ? float_bits(out[l]) : 0x7fc00000)) *
                       1099511628211u;
        }
        printf("%d triples of kind %d: %016llx\n", GROUPS * LANES, kind,
               (unsigned long long)hash);
    }
    return 0;
}
