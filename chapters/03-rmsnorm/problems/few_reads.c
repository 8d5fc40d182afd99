/* The judge of open problem 03/few_reads. */
#include "03-rmsnorm/problems/few_reads.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "math/fmath.h"
#include "program/problem.h"
#include "math/random.h"

enum { EXAMPLES = 256, ROWS = 1000, STREAM_CHANNELS = 1, STREAM_ROWS };

struct Row {
    float x[ROW_LENGTH];
    size_t reads;
};

float row_read(Row *row, size_t i) {
    if (i >= ROW_LENGTH) die("number %zu of a row of %d was read", i, ROW_LENGTH);
    if (++row->reads > FEW_READS)
        die("more than %d numbers of a row were read", FEW_READS);
    return row->x[i];
}

/* As in a trained stream: channels are of different sizes, a few of them much larger,
 * and so are rows. */
static void draw_row(float *x, const double *size, Random *random) {
    double all = exp_double(random_normal(random));
    for (size_t i = 0; i < ROW_LENGTH; i++)
        x[i] = (float)(all * size[i] * random_normal(random));
}

static double root_mean_square(const float *x) {
    double sum = 0;
    for (size_t i = 0; i < ROW_LENGTH; i++) sum += (double)x[i] * (double)x[i];
    return sqrt(sum / ROW_LENGTH);
}

/* The root mean square of the relative error. */
static double error_of(uint64_t seed) {
    Random channels = random_stream(seed, STREAM_CHANNELS),
           random = random_stream(seed, STREAM_ROWS);
    double size[ROW_LENGTH], sum = 0;
    float examples[EXAMPLES * ROW_LENGTH];
    for (size_t i = 0; i < ROW_LENGTH; i++)
        size[i] = exp_double(1.5 * random_normal(&channels));
    for (size_t r = 0; r < EXAMPLES; r++)
        draw_row(examples + r * ROW_LENGTH, size, &random);
    for (size_t r = 0; r < ROWS; r++) {
        Row row = {.reads = 0};
        draw_row(row.x, size, &random);
        double error =
            (double)few_reads(&row, examples, EXAMPLES) / root_mean_square(row.x) - 1;
        sum += error * error / ROWS;
    }
    return sqrt(sum);
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    problem_measure(error, settings, error_of,
                    "relative error of the root mean square %.3f");
    problem_at_most("relative error", error, 0.12);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "03/few_reads", judge);
}
