/* The judge of open problem 13/four_bit_keys. */
#include "13-kv-cache/problems/four_bit_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "13-kv-cache/attention_step.h"
#include "program/problem.h"
#include "math/random.h"

enum {
    GROUPS = 4,
    LENGTH = GROUPS * GROUP,
    QUERIES = 200,
    STREAM_KEYS = 1,
    STREAM_QUERIES
};

/* As keys of trained models are: channels lie around values of their own, and a few of
 * them are far larger than the rest. */
static void keys_draw(float *keys, Random *random) {
    float mean[DIM], size[DIM];
    for (size_t c = 0; c < DIM; c++) {
        size[c] = c % 16 == 5 ? 8 : 1;
        mean[c] = 2 * size[c] * (float)random_normal(random);
    }
    for (size_t i = 0; i < LENGTH * DIM; i++)
        keys[i] = mean[i % DIM] + size[i % DIM] * (float)random_normal(random);
}

/* Packs all keys, then unpacks them: nothing but the bytes is left in between. */
static void through_bytes(float *out, const float *keys) {
    unsigned char packed[GROUPS][PACKED_BYTES];
    memset(packed, 0, sizeof packed);
    for (size_t g = 0; g < GROUPS; g++) {
        float group[GROUP * DIM];
        memcpy(group, keys + g * GROUP * DIM, sizeof group);
        pack_keys(packed[g], group);
        memset(group, 0, sizeof group);
    }
    for (size_t g = 0; g < GROUPS; g++) unpack_keys(out + g * GROUP * DIM, packed[g]);
}

/* The size of the error of attention's output, in that of the output's deviation. */
static double error_of(uint64_t seed) {
    static float keys[LENGTH * DIM], unpacked[LENGTH * DIM], values[LENGTH * DIM],
        scratch[LENGTH];
    Random random = random_stream(seed, STREAM_KEYS),
           queries = random_stream(seed, STREAM_QUERIES);
    keys_draw(keys, &random);
    random_fill_normal(&random, values, LENGTH * DIM, 1);
    through_bytes(unpacked, keys);
    double error = 0, all = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        float query[DIM], right[DIM], out[DIM];
        for (size_t c = 0; c < DIM; c++)
            query[c] = (float)random_normal(&queries) / (c % 16 == 5 ? 4 : 1);
        attention_step(right, scratch, query, keys, values, 1, DIM, LENGTH, LENGTH);
        attention_step(out, scratch, query, unpacked, values, 1, DIM, LENGTH, LENGTH);
        for (size_t c = 0; c < DIM; c++) {
            error += (double)(out[c] - right[c]) * (double)(out[c] - right[c]);
            all += (double)right[c] * (double)right[c];
        }
    }
    return sqrt(error / all);
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    problem_measure(error, settings, error_of,
                    "relative error of attention's output %.3f");
    problem_at_most("relative error", error, 0.2);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "13/four_bit_keys", judge);
}
