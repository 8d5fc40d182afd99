/* A language model that reads its answers, and one that cannot. */
#include <math.h>

#include "07-attention/experiments/experiments.h"
#include "07-attention/experiments/leak_model.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "fmath.h"

enum { LEAK_STEPS = 300, LEAK_POINTS = LEAK_STEPS / LEAK_EVERY + 1 };

void experiment_leak(const Settings *settings) {
    double full[LEAK_POINTS], causal[LEAK_POINTS], lowest = INFINITY;
    size_t steps = settings->quick ? 100 : LEAK_STEPS, n = leak_train(full, false, steps, settings->seed);
    leak_train(causal, true, steps, settings->seed);
    Csv csv = csv_begin(settings->out, "07-leak", "step,full,causal,floor");
    for (size_t i = 0; i < n; i++) {
        lowest = smaller(lowest, causal[i]);
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", i * LEAK_EVERY, full[i], causal[i], log_double(LEAK_WORDS));
    }
    csv_commit(&csv);
    /* The last position of a sentence has no word behind it to look at: 1 of 8 stays a guess. */
    double guesses = log_double(LEAK_WORDS) / 8;
    claim(fabs(full[n - 1] / guesses - 1) < 0.1,
          "without a mask all but the last word are read, not predicted: loss %.3f, ln(16) / 8 is %.3f",
          full[n - 1], guesses);
    claim(lowest > 0.99 * log_double(LEAK_WORDS),
          "with the mask the loss stays at the floor: lowest %.3f, ln(16) is %.3f", lowest,
          log_double(LEAK_WORDS));
}
