/* With which numbers should a table start? The same model from three starts. */
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"

enum { XAVIER, GPT2, ONES, STARTS };
enum { STEPS = 500, SEEDS = 5, RATES = 4, POINTS = STEPS / ORDER_EVERY + 1 };

static const float rates[RATES] = {1e-3f, 3e-3f, 1e-2f, 3e-2f};

/* Xavier's deviation is that of a table of 50257 words. */
static const struct {
    const char *name;
    float word_std, position_std;
} starts[STARTS] = {
    {"xavier", 0.0063f, 1.0f}, {"gpt2", 0.02f, 0.02f}, {"ones", 1.0f, 1.0f}};

/* The first step at which 95 % are right, or the last one. */
static double steps_needed(size_t start, float rate, size_t steps, uint64_t seed) {
    double accuracy[POINTS];
    OrderConfig config = {POSITIONS_LEARNED, .shortest = ORDER_LONGEST,
                          .word_std = starts[start].word_std,
                          .position_std = starts[start].position_std, .rate = rate};
    OrderModel m = order_create(&config, seed);
    order_train(&m, accuracy, steps, seed);
    order_free(&m);
    size_t i = 0;
    while (i < steps / ORDER_EVERY && accuracy[i] < 0.95) i++;
    return (double)(i * ORDER_EVERY);
}

void experiment_initialization(const Settings *settings) {
    size_t steps = settings->quick ? 40 : STEPS, seeds = settings->quick ? 1 : SEEDS;
    Spread needed[STARTS][RATES];
    Csv csv = csv_begin(settings->out, "initialization", "start,rate,mean,low,high");
    printf("  steps to 95 %% right at a rate of  0.001        0.003        0.01        "
           " 0.03\n");
    for (size_t s = 0; s < STARTS; s++) {
        printf("  N(0, %.4f^2) and N(0, %.2f^2):", (double)starts[s].word_std,
               (double)starts[s].position_std);
        for (size_t i = 0; i < RATES; i++) {
            double of_seeds[SEEDS];
            for (size_t k = 0; k < seeds; k++) {
                of_seeds[k] = steps_needed(s, rates[i], steps, settings->seed + k);
            }
            Spread n = needed[s][i] = spread_of(of_seeds, seeds, 1);
            csv_row(&csv, "%s,%g,%.6g,%.6g,%.6g", starts[s].name, (double)rates[i],
                    n.mean, n.low, n.high);
            printf("  %3.0f to %3.0f", n.low, n.high);
        }
        printf("\n");
    }
    csv_commit(&csv);
    for (size_t i = 0; i < 2; i++) {
        double xavier = needed[XAVIER][i].mean / needed[GPT2][i].mean,
               ones = needed[ONES][i].mean / needed[GPT2][i].mean;
        claim(xavier > 1.25 && ones > 1.25,
              "rate %g: Xavier's beside N(0, 1) needs %.2f times the steps of 0.02 for "
              "both, N(0, 1) for "
              "both %.2f",
              (double)rates[i], xavier, ones);
    }
    double slow = needed[XAVIER][0].mean - needed[GPT2][0].mean,
           fast = needed[XAVIER][RATES - 1].mean - needed[GPT2][RATES - 1].mean;
    claim(slow > 3 * fast,
          "its lead over Xavier's is %.0f steps at rate %g and %.0f at %g", slow,
          (double)rates[0], fast, (double)rates[RATES - 1]);
}
