/* The judge of open problem 04/small_table. */
#include "04-ffn-swiglu/problems/small_table.h"

#include <math.h>
#include <stdio.h>

#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "base/error.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/problem.h"
#include "math/random.h"

/* share * GELU(x) + (1 - share) * x sigmoid(a x): share and a are not known in advance,
 * so only the table can tell. */
typedef struct {
    double share, a;
} Function;

static double value(Function f, double x) {
    return f.share * gelu_exact(x) + (1 - f.share) * x / (1 + exp_double(-f.a * x));
}

static double largest_error(Function f) {
    enum { LIMIT = 20, STEPS = 1024 };
    float values[TABLE_VALUES];
    for (size_t i = 0; i < TABLE_VALUES; i++) {
        float node = table_node(i);
        if (!isfinite(node)) die("table_node(%zu) is %g", i, (double)node);
        values[i] = (float)value(f, (double)node);
    }
    double worst = 0;
    for (int i = -LIMIT * STEPS; i <= LIMIT * STEPS; i++) {
        double x = (double)i / STEPS;
        worst = larger(worst, fabs((double)table_read(values, (float)x) - value(f, x)));
    }
    return worst;
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        Function f = {k ? random_double(&random) : 1, 1 + random_double(&random)};
        error[k] = largest_error(f);
        printf(
            "seed %zu, %.2f GELU and the rest x sigmoid(%.2f x): largest error %.1e\n",
            k + 1, f.share, f.a, error[k]);
    }
    problem_at_most("largest error", error, 3e-4);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "04/small_table", judge);
}
