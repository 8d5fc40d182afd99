/* Sentences of 2 to 8 words in one batch: what padding does to a mean that counts it. */
#include <math.h>
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/experiments/spread.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"

enum { OWN_WORDS, ALL_PLACES, MEANS };
enum { STEPS = 400, SEEDS = 5, WIDTHS = 4 };

static const char *const names[MEANS] = {"words", "places"};

static void train(OrderModel *m, size_t steps, uint64_t seed) {
    double accuracy[STEPS / ORDER_EVERY + 1];
    order_train(m, accuracy, steps, seed);
}

/* The accuracy in rows of ORDER_LONGEST places, twice as many ... */
static void measure(double accuracy[WIDTHS], const OrderModel *m, uint64_t seed) {
    for (size_t w = 0; w < WIDTHS; w++) {
        OrderBatch tests = order_tests(m, (size_t)ORDER_LONGEST << w, seed);
        accuracy[w] = order_accuracy(m, &tests);
        order_batch_free(&tests);
    }
}

/* Each seed at the width where it does worst; the largest of these. */
static double worst_width(double accuracy[][WIDTHS], size_t seeds) {
    double largest = 0;
    for (size_t k = 0; k < seeds; k++) largest = larger(largest, spread_of(accuracy[k], WIDTHS, 1).low);
    return largest;
}

void experiment_lengths(const Settings *settings) {
    size_t steps = settings->quick ? 40 : STEPS, seeds = settings->quick ? 1 : SEEDS;
    double accuracy[MEANS][SEEDS][WIDTHS], moved = 0;
    Spread share[MEANS][WIDTHS];
    Csv csv = csv_begin(settings->out, "06-lengths", "mean,seed,places,accuracy");
    for (size_t mean = 0; mean < MEANS; mean++) {
        for (size_t k = 0; k < seeds; k++) {
            uint64_t seed = settings->seed + k;
            OrderModel m =
                order_create(&(OrderConfig){POSITIONS_SINUSOIDAL, .counts_padding = mean == ALL_PLACES,
                                            .shortest = 2, .word_std = 0.3f},
                             seed);
            train(&m, steps, seed);
            measure(accuracy[mean][k], &m, seed);
            order_free(&m);
        }
        printf("  mean over %-6s", names[mean]);
        for (size_t w = 0; w < WIDTHS; w++) {
            share[mean][w] = spread_of(&accuracy[mean][0][w], seeds, WIDTHS);
            for (size_t k = 0; k < seeds; k++) {
                csv_row(&csv, "%s,%zu,%d,%.6g", names[mean], k + 1, ORDER_LONGEST << w, accuracy[mean][k][w]);
                if (mean == OWN_WORDS)
                    moved = larger(moved, fabs(accuracy[mean][k][w] - accuracy[mean][k][0]));
            }
            printf("  rows of %2d: %.2f to %.2f", ORDER_LONGEST << w, share[mean][w].low,
                   share[mean][w].high);
        }
        printf("\n");
    }
    csv_commit(&csv);
    claim(share[OWN_WORDS][0].low > 0.95 && moved == 0,
          "a mean over a sentence's own words: %.1f %% right or more, the same in rows of any length",
          100 * share[OWN_WORDS][0].low);
    double worst = worst_width(accuracy[ALL_PLACES], seeds);
    claim(share[ALL_PLACES][0].low > 0.95 && worst < 0.75,
          "a mean over all places: %.1f %% or more in rows as in training; in every seed %.1f %% or less in "
          "some",
          100 * share[ALL_PLACES][0].low, 100 * worst);
}
