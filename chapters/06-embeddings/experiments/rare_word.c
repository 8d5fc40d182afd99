/* How far AdamW moves the row of a word that occurs once, and when. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/experiments/experiments.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { AFTER = 100, CASES = 4, RARE = 1 };

/* How far row RARE has gone, in learning rates, after each of AFTER steps from `step`
 * on, where it occurs for the first and last time with the gradient `size`. */
static void follow(double distance[AFTER], size_t step, float size) {
    const float rate = 1e-3f;
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *table = params_add(&params, 2, (size_t[]){2, 1}, "wte.weight");
    AdamW optimizer = adamw_create(&params, rate, 0);
    for (size_t s = 1; s < step + AFTER; s++) {
        int token = s == step ? RARE : 0;
        params_zero_grad(&params);
        embedding_backward(table->grad, &size, &token, 1, 1, NO_PADDING);
        adamw_step(&optimizer, &params);
        if (s >= step)
            distance[s - step] = fabs((double)table->data[RARE]) / (double)rate;
    }
    adamw_free(&optimizer);
    params_free(&params);
}

void experiment_rare_word(const Settings *settings) {
    static const size_t steps[CASES] = {1, 100, 1000, 10000};
    double distance[CASES][AFTER], smaller_gradient[AFTER];
    for (size_t i = 0; i < CASES; i++) follow(distance[i], steps[i], 1.0f);
    follow(smaller_gradient, steps[CASES - 1], 1e-3f);
    Csv csv = csv_begin(settings->out, "rare-word",
                        "k,step1,step100,step1000,step10000,theory");
    double theory = 0, step = sqrt(10.0);
    for (size_t k = 0; k < AFTER; k++, step *= 0.9) {
        theory += step;
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g", k + 1, distance[0][k],
                distance[1][k], distance[2][k], distance[3][k], theory);
    }
    csv_commit(&csv);
    const double *late = distance[CASES - 1];
    printf("  a word that occurs once, at step 10000: moved by %.2f rates in that "
           "step, by %.1f after %d\n",
           late[0], late[AFTER - 1], AFTER);
    claim(fabs(late[0] / sqrt(10.0) - 1) < 0.01,
          "its row moves by %.2f learning rates at once (root of 10)", late[0]);
    claim(late[0] < 0.15 * late[AFTER - 1],
          "that is %.0f %% of the way: the rest it goes without occurring",
          100 * late[0] / late[AFTER - 1]);
    claim(fabs(smaller_gradient[AFTER - 1] / late[AFTER - 1] - 1) < 0.01,
          "a gradient of a thousandth takes it as far: %.1f learning rates",
          smaller_gradient[AFTER - 1]);
}
