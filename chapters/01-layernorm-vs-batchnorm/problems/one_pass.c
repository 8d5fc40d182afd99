/* The judge of open problem 01/one_pass. */
#include "01-layernorm-vs-batchnorm/problems/one_pass.h"

#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "math/fit.h"
#include "program/problem.h"
#include "math/random.h"

enum { ROW = 768, ROWS = 100 };

static double in_double(const float *x) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < ROW; i++) mean += (double)x[i] / ROW;
    for (size_t i = 0; i < ROW; i++)
        variance += ((double)x[i] - mean) * ((double)x[i] - mean) / ROW;
    return variance;
}

/* Two rows at a time, so that nothing can be kept elsewhere. */
static void both_variances(float variance[2], float x[2][ROW]) {
    OnePass a = {0}, b = {0};
    for (size_t i = 0; i < ROW; i++) {
        OnePass c = a;
        one_pass_add(&c, x[0][i]);
        a = b;
        b = c; /* they change places */
        c = a;
        one_pass_add(&c, x[1][i]);
        a = b;
        b = c;
    }
    variance[0] = one_pass_variance(&a);
    variance[1] = one_pass_variance(&b);
}

/* Root mean square of the relative errors, of rows around `offset` of deviation 1 whose
 * first number lies `first` off. */
static double error_at(double offset, double first, Random *random) {
    double squares = 0;
    for (size_t r = 0; r < ROWS; r++) {
        float x[2][ROW], variance[2];
        for (size_t k = 0; k < 2; k++) {
            for (size_t i = 0; i < ROW; i++)
                x[k][i] = (float)(offset + random_normal(random) + (i ? 0 : first));
        }
        both_variances(variance, x);
        for (size_t k = 0; k < 2; k++) {
            double error = (double)variance[k] / in_double(x[k]) - 1;
            squares += error * error / (2 * ROWS);
        }
    }
    return sqrt(squares);
}

static void judge(const Settings *settings) {
    static const struct {
        double offset, first;
    } rows[] = {{0, 0}, {4096, 0}, {1048576, 0}, {1048576, 1000}};
    double worst[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_stream(settings->seed + k, STREAM_SAMPLE);
        worst[k] = 0;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            double error = error_at(rows[i].offset, rows[i].first, &random);
            printf("seed %zu, offset %g, first number %g more: relative error %.1e\n",
                   k + 1, rows[i].offset, rows[i].first, error);
            worst[k] = larger(worst[k], error);
        }
    }
    problem_at_most("largest relative error of the variance", worst, 1e-6);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "01/one_pass", judge);
}
