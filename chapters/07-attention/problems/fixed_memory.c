/* The judge of open problem 07/fixed_memory. */
#include "07-attention/problems/fixed_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "07-attention/single_head.h"
#include "program/problem.h"
#include "math/random.h"

enum { LENGTH = 512, TEXTS = 8, SIZE = LENGTH * HEAD };

typedef struct {
    float q[SIZE], k[SIZE], v[SIZE];
} Text;

static void text_draw(Text *text, Random *random) {
    random_fill_normal(random, text->q, SIZE, 1);
    random_fill_normal(random, text->k, SIZE, 0.5f);
    random_fill_normal(random, text->v, SIZE, 1);
}

/* All texts in turns, and read from another place: state outside the memories is
 * lost. */
static void through_memory(float out[TEXTS][SIZE], const Text texts[TEXTS]) {
    float written[TEXTS][MEMORY] = {0}, memory[TEXTS][MEMORY];
    for (size_t i = 0; i < SIZE; i += HEAD) {
        for (size_t n = 0; n < TEXTS; n++) {
            float key[HEAD], value[HEAD];
            memcpy(key, texts[n].k + i, sizeof key);
            memcpy(value, texts[n].v + i, sizeof value);
            memory_add(written[n], key, value);
        }
    }
    memcpy(memory, written, sizeof memory);
    memset(written, 0, sizeof written);
    for (size_t i = 0; i < SIZE; i += HEAD) {
        for (size_t n = 0; n < TEXTS; n++)
            memory_read(out[n] + i, memory[n], texts[n].q + i);
    }
}

/* The size of the error, in that of the right output. */
static double error_of(uint64_t seed) {
    static Text texts[TEXTS];
    static float out[TEXTS][SIZE], right[SIZE], weights[LENGTH * LENGTH];
    Random random = random_create(seed);
    for (size_t n = 0; n < TEXTS; n++) text_draw(&texts[n], &random);
    through_memory(out, texts);
    double error = 0, all = 0;
    for (size_t n = 0; n < TEXTS; n++) {
        single_head_forward(right, weights, texts[n].q, texts[n].k, texts[n].v, LENGTH,
                            HEAD);
        for (size_t i = 0; i < SIZE; i++) {
            double wrong = (double)out[n][i] - (double)right[i];
            error += wrong * wrong;
            all += (double)right[i] * (double)right[i];
        }
    }
    return sqrt(error / all);
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    problem_measure(error, settings, error_of,
                    "relative error of attention's output %.3f");
    problem_at_most("relative error", error, 0.15);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "07/fixed_memory", judge);
}
