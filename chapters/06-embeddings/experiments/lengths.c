/* Sentences of 2 to 8 words in one batch: the effect of padding on a mean that counts
 * it. */
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { OWN_WORDS, ALL_PLACES, MEANS };
enum { STEPS = 400, SEEDS = 5, WIDTHS = 4 };

static const char *const names[MEANS] = {"words", "places"};

/* Trains, and measures in rows of ORDER_LONGEST places, of twice as many ... */
static void run(double accuracy[WIDTHS], size_t mean, size_t steps, uint64_t seed) {
    double while_training[STEPS / ORDER_EVERY + 1];
    OrderConfig config = {POSITIONS_SINUSOIDAL, .counts_padding = mean == ALL_PLACES,
                          .shortest = 2, .word_std = 0.3f};
    OrderModel m = order_create(&config, seed);
    order_train(&m, while_training, steps, seed);
    for (size_t w = 0; w < WIDTHS; w++) {
        OrderBatch tests = order_tests(&m, (size_t)ORDER_LONGEST << w, seed);
        accuracy[w] = order_accuracy(&m, &tests);
        order_batch_free(&tests);
    }
    order_free(&m);
}

void experiment_lengths(const Settings *settings) {
    size_t steps = settings->quick ? 40 : STEPS, seeds = settings->quick ? 1 : SEEDS;
    double accuracy[MEANS][SEEDS][WIDTHS], moved = 0, worst = 0;
    Spread trained[MEANS];
    Csv csv = csv_begin(settings->out, "lengths", "mean,seed,places,accuracy");
    printf("  right answers in rows of       8     16     32     64\n");
    for (size_t mean = 0; mean < MEANS; mean++) {
        for (size_t k = 0; k < seeds; k++) {
            double *row = accuracy[mean][k];
            run(row, mean, steps, settings->seed + k);
            printf("  mean over %-6s, seed %zu:", names[mean], k + 1);
            for (size_t w = 0; w < WIDTHS; w++) {
                csv_row(&csv, "%s,%zu,%d,%.6g", names[mean], k + 1, ORDER_LONGEST << w,
                        row[w]);
                printf(" %5.1f%%", 100 * row[w]);
            }
            printf("\n");
            Spread over_widths = spread_of(row, WIDTHS, 1);
            if (mean == OWN_WORDS)
                moved = larger(moved, over_widths.high - over_widths.low);
            if (mean == ALL_PLACES) worst = larger(worst, over_widths.low);
        }
        trained[mean] = spread_of(&accuracy[mean][0][0], seeds, WIDTHS);
    }
    csv_commit(&csv);
    claim(trained[OWN_WORDS].low > 0.95 && moved == 0,
          "a mean over a sentence's own words: %.1f %% right or more, the same in rows "
          "of any length",
          100 * trained[OWN_WORDS].low);
    claim(trained[ALL_PLACES].low > 0.95 && worst < 0.75,
          "a mean over all places: %.1f %% or more in rows as in training; in longer "
          "ones each seed falls to "
          "%.1f %% or less",
          100 * trained[ALL_PLACES].low, 100 * worst);
}
