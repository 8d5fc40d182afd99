/* Which of two words comes first? Without positions, with learned and sinusoidal ones,
 * with a mask alone. */
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"

enum { NONE, LEARNED, SINUSOIDAL, MASK, MODELS };
enum { STEPS = 400, DEMO_STEPS = 200, SEEDS = 5, POINTS = STEPS / ORDER_EVERY + 1 };

static const struct {
    const char *name;
    OrderConfig config;
} models[MODELS] = {
    [NONE] = {"none", {.shortest = ORDER_LONGEST, .word_std = 0.3f}},
    [LEARNED] = {"learned",
                 {POSITIONS_LEARNED, .shortest = ORDER_LONGEST, .word_std = 0.3f,
                  .position_std = 0.3f}},
    [SINUSOIDAL] = {"sinusoidal",
                    {POSITIONS_SINUSOIDAL, .shortest = ORDER_LONGEST,
                     .word_std = 0.3f}},
    [MASK] = {"mask", {.causal = true, .shortest = ORDER_LONGEST, .word_std = 0.3f}},
};

/* Trains model `kind`; returns how far the logits of a sentence and of its twin are
 * apart at the end. */
static double train(double *accuracy, size_t kind, size_t steps, uint64_t seed) {
    OrderModel m = order_create(&models[kind].config, seed);
    order_train(&m, accuracy, steps, seed);
    OrderBatch tests = order_tests(&m, ORDER_LONGEST, seed);
    double difference = order_twin_difference(&m, &tests);
    order_batch_free(&tests);
    order_free(&m);
    return difference;
}

void show_order(uint64_t seed) {
    printf("Which of two words comes first? Share of right answers after training:\n");
    printf("  positions     step 0  step 100  step 200\n");
    for (size_t kind = 0; kind < MASK; kind++) {
        double accuracy[POINTS];
        train(accuracy, kind, DEMO_STEPS, seed);
        printf("  %-12s %6.1f%%   %6.1f%%   %6.1f%%\n", models[kind].name,
               100 * accuracy[0], 100 * accuracy[100 / ORDER_EVERY],
               100 * accuracy[DEMO_STEPS / ORDER_EVERY]);
    }
}

void experiment_order(const Settings *settings) {
    static double accuracy[MODELS][SEEDS][POINTS];
    Spread differences[MODELS], ends[MODELS];
    size_t steps = settings->quick ? 40 : STEPS, seeds = settings->quick ? 1 : SEEDS,
           last = steps / ORDER_EVERY;
    Csv csv = csv_begin(settings->out, "order", "model,step,mean,low,high");
    Csv twins =
        csv_begin(settings->out, "order-twins", "model,seed,accuracy,difference");
    for (size_t kind = 0; kind < MODELS; kind++) {
        double apart[SEEDS];
        for (size_t k = 0; k < seeds; k++) {
            apart[k] = train(accuracy[kind][k], kind, steps, settings->seed + k);
            csv_row(&twins, "%s,%zu,%.6g,%.6g", models[kind].name, k + 1,
                    accuracy[kind][k][last], apart[k]);
        }
        for (size_t i = 0; i <= last; i++) {
            ends[kind] = spread_of(&accuracy[kind][0][i], seeds, POINTS);
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", models[kind].name, i * ORDER_EVERY,
                    ends[kind].mean, ends[kind].low, ends[kind].high);
        }
        differences[kind] = spread_of(apart, seeds, 1);
        printf("  %-10s %5.1f%% to %5.1f%% right after %zu steps\n", models[kind].name,
               100 * ends[kind].low, 100 * ends[kind].high, steps);
    }
    csv_commit(&csv);
    csv_commit(&twins);
    claim(
        differences[NONE].high < 1e-5,
        "without positions a sentence and its twin have the same logits (within %.1e)",
        differences[NONE].high);
    claim(ends[NONE].low > 0.49 && ends[NONE].high < 0.51,
          "so one of the two is always wrong: %.1f to %.1f %% right",
          100 * ends[NONE].low, 100 * ends[NONE].high);
    for (size_t kind = LEARNED; kind < MODELS; kind++) {
        claim(ends[kind].low > 0.95, "%s: %.1f %% right or more in every seed",
              models[kind].name, 100 * ends[kind].low);
    }
}
