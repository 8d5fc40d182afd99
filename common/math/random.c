/* Random numbers that repeat: see random.h. */
#include "math/random.h"

#include "math/fmath.h"

Random random_stream(uint64_t seed, uint64_t stream) {
    return (Random){.seed = seed, .stream = stream};
}

Random random_create(uint64_t seed) {
    return random_stream(seed, 0);
}

/* One of the ten rounds on a counter (c0, c1, c2, c3). */
static inline void philox_round(uint32_t *c0, uint32_t *c1, uint32_t *c2, uint32_t *c3,
                                uint32_t k0, uint32_t k1) {
    uint64_t p0 = (uint64_t)0xD2511F53u * *c0;
    uint64_t p1 = (uint64_t)0xCD9E8D57u * *c2;
    *c0 = (uint32_t)(p1 >> 32) ^ *c1 ^ k0;
    *c2 = (uint32_t)(p0 >> 32) ^ *c3 ^ k1;
    *c1 = (uint32_t)p1;
    *c3 = (uint32_t)p0;
}

/* The constants that the rounds add to the two halves of the key. */
static const uint32_t KEY_STEP_0 = 0x9E3779B9u, KEY_STEP_1 = 0xBB67AE85u;

void philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        philox_round(&c0, &c1, &c2, &c3, k0, k1);
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

uint32_t random_at(const Random *r, uint64_t index) {
    uint64_t block = index / 4;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32),
                           (uint32_t)r->stream, (uint32_t)(r->stream >> 32)};
    uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
    uint32_t out[4];
    philox4x32(out, counter, key);
    return out[index % 4];
}

enum { BLOCKS = 32, BLOCKS_NUMBERS = 4 * BLOCKS };

/* The numbers of BLOCKS blocks, round by round:
 * each round is a loop over the blocks, which becomes vector code. */
static void philox_blocks(uint32_t out[BLOCKS_NUMBERS], const Random *r,
                          uint64_t first) {
    uint32_t c0[BLOCKS], c1[BLOCKS], c2[BLOCKS], c3[BLOCKS];
    for (size_t b = 0; b < BLOCKS; b++) {
        c0[b] = (uint32_t)(first + b);
        c1[b] = (uint32_t)((first + b) >> 32);
        c2[b] = (uint32_t)r->stream;
        c3[b] = (uint32_t)(r->stream >> 32);
    }
    uint32_t k0 = (uint32_t)r->seed, k1 = (uint32_t)(r->seed >> 32);
    for (int round = 0; round < 10; round++) {
        for (size_t b = 0; b < BLOCKS; b++)
            philox_round(&c0[b], &c1[b], &c2[b], &c3[b], k0, k1);
        k0 += KEY_STEP_0;
        k1 += KEY_STEP_1;
    }
    for (size_t b = 0; b < BLOCKS; b++) {
        out[4 * b] = c0[b];
        out[4 * b + 1] = c1[b];
        out[4 * b + 2] = c2[b];
        out[4 * b + 3] = c3[b];
    }
}

/* 24 bits of a number as a float in [0, 1). */
static float uniform(uint32_t number) {
    return (float)(number >> 8) * 0x1p-24f;
}

void random_floats(float *out, const Random *r, uint64_t index, size_t n) {
    uint64_t first = index / 4;
    size_t skip = index % 4, count;
    for (size_t done = 0; done < n; done += count, first += BLOCKS, skip = 0) {
        uint32_t numbers[BLOCKS_NUMBERS];
        philox_blocks(numbers, r, first);
        count = BLOCKS_NUMBERS - skip < n - done ? BLOCKS_NUMBERS - skip : n - done;
        for (size_t i = 0; i < count; i++) out[done + i] = uniform(numbers[skip + i]);
    }
}

uint32_t random_u32(Random *r) {
    return random_at(r, r->next++);
}

float random_float(Random *r) {
    return uniform(random_u32(r));
}

double random_double(Random *r) {
    uint64_t high = random_u32(r) >> 5, low = random_u32(r) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

uint32_t random_below(Random *r, uint32_t n) {
    /* A multiple of n: larger numbers would favour small results. */
    uint32_t limit = UINT32_MAX - UINT32_MAX % n;
    uint32_t x;
    do x = random_u32(r);
    while (x >= limit);
    return x % n;
}

/* The two inputs of Box and Muller's transform: a number in (0, 1), never 0, so that
 * its logarithm exists, and a part of a turn. */
static double between(uint32_t number) {
    return ((double)number + 0.5) * 0x1p-32;
}
static double turn(uint32_t number) {
    return (double)number * 0x1p-32;
}

double random_normal(Random *r) {
    double u = between(random_u32(r));
    return sqrt(-2.0 * log_double(u)) * cos_turn(turn(random_u32(r)));
}

void random_fill_normal(Random *r, float *x, size_t n, float std) {
    for (size_t done = 0, count; done < n; done += count, r->next += 2 * count) {
        uint32_t numbers[BLOCKS_NUMBERS];
        double logs[BLOCKS_NUMBERS / 2], cosines[BLOCKS_NUMBERS / 2];
        size_t skip = r->next % 4, pairs = (BLOCKS_NUMBERS - skip) / 2;
        philox_blocks(numbers, r, r->next / 4);
        count = pairs < n - done ? pairs : n - done;
        for (size_t i = 0; i < count; i++) {
            logs[i] = between(numbers[skip + 2 * i]);
            cosines[i] = turn(numbers[skip + 2 * i + 1]);
        }
        log_doubles(logs, count);
        cos_turns(cosines, count);
        for (size_t i = 0; i < count; i++)
            x[done + i] = (float)(sqrt(-2.0 * logs[i]) * cosines[i] * (double)std);
    }
}
