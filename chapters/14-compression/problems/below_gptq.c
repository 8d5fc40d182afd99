/* The judge of open problem 14/below_gptq. */
#include "14-compression/problems/below_gptq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/codec.h"
#include "base/error.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "program/problem.h"
#include "math/random.h"

enum {
    ROWS = 64,
    COLS = 192,
    BLOCKS = ROWS * COLS / BLOCK,
    INPUTS = 2000,
    GUARD = 0x5a
};

/* Of inputs as a layer has them: each like its neighbour, some larger than others.
 * [COLS, COLS]. */
static float *moments_of_inputs(Random *random) {
    float *h = checked_alloc(COLS * COLS, sizeof *h), x[COLS], size[COLS];
    for (size_t c = 0; c < COLS; c++)
        size[c] = (float)exp_double(random_normal(random));
    for (size_t n = 0; n < INPUTS; n++) {
        double last = random_normal(random);
        for (size_t c = 0; c < COLS; c++) {
            /* of deviation 1, as before */
            last = 0.9 * last + 0.43589 * random_normal(random);
            x[c] = size[c] * (float)last;
        }
        for (size_t i = 0; i < COLS * COLS; i++)
            h[i] += x[i / COLS] * x[i % COLS] / INPUTS;
    }
    return h;
}

/* tr(E H E^T). */
static double output_error(const BlockQ4_0 *blocks, const Matrix *m) {
    Weight w = {.type = &weight_q4_0, .data = blocks, .rows = m->rows, .cols = m->cols};
    float e[COLS];
    double sum = 0;
    for (size_t r = 0; r < m->rows; r++) {
        weight_row(e, &w, r);
        for (size_t c = 0; c < COLS; c++) e[c] -= m->data[r * COLS + c];
        for (size_t i = 0; i < COLS * COLS; i++)
            sum += (double)e[i / COLS] * (double)m->moments[i] * (double)e[i % COLS];
    }
    return sum;
}

/* The learner's error; copies of what may not be changed are compared, and the bytes
 * behind the blocks. */
static double learners_error(const Matrix *m) {
    float w[ROWS * COLS], *h = checked_alloc(COLS * COLS, sizeof *h);
    BlockQ4_0 *blocks = checked_alloc(BLOCKS + 1, sizeof *blocks);
    memcpy(w, m->data, sizeof w);
    memcpy(h, m->moments, COLS * COLS * sizeof *h);
    memset(blocks, GUARD, (BLOCKS + 1) * sizeof *blocks);
    below_gptq(blocks, w, h, ROWS, COLS);
    if (memcmp(w, m->data, sizeof w) != 0 ||
        memcmp(h, m->moments, COLS * COLS * sizeof *h) != 0)
        die("below_gptq: the weights or the moments were changed");
    for (size_t i = 0; i < sizeof *blocks; i++) {
        if (((const unsigned char *)&blocks[BLOCKS])[i] != GUARD)
            die("below_gptq: wrote behind the blocks");
    }
    double error = output_error(blocks, m);
    free(h);
    free(blocks);
    return error;
}

static void judge(const Settings *settings) {
    double ratio[PROBLEM_SEEDS], value;
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        float w[ROWS * COLS], *h = moments_of_inputs(&random);
        random_fill_normal(&random, w, ROWS * COLS, 0.02f);
        Matrix m = {.data = w, .rows = ROWS, .cols = COLS, .moments = h};
        const Codec *gptq = codec_find("gptq4", &value);
        Weight coded = codec_encode(gptq, value, &m);
        double theirs = output_error(coded.data, &m), yours = learners_error(&m);
        ratio[k] = yours / theirs;
        printf("seed %zu: error at the outputs: GPTQ %.4g, yours %.4g\n", k + 1, theirs,
               yours);
        free((void *)(uintptr_t)coded.data);
        free(h);
    }
    problem_at_most("error in that of GPTQ", ratio, 0.85);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "14/below_gptq", judge);
}
