/* With which numbers should a table start? The same model from three starts. */
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "06-embeddings/experiments/spread.h"
#include "claim.h"
#include "csv.h"

enum { XAVIER, GPT2, ONES, STARTS };
enum { STEPS = 400, SEEDS = 5, POINTS = STEPS / ORDER_EVERY + 1 };

/* Xavier's deviation is that of a table of 50257 words. */
static const struct {
    const char *name;
    float word_std, position_std;
} starts[STARTS] = {{"xavier", 0.0063f, 1.0f}, {"gpt2", 0.02f, 0.02f}, {"ones", 1.0f, 1.0f}};

static void train(double *accuracy, size_t start, size_t steps, uint64_t seed) {
    OrderModel m = order_create(&(OrderConfig){POSITIONS_LEARNED, .shortest = ORDER_LONGEST,
                                               .word_std = starts[start].word_std,
                                               .position_std = starts[start].position_std},
                                seed);
    order_train(&m, accuracy, steps, seed);
    order_free(&m);
}

/* The first step at which 95 % were right, or the last one. */
static double arrival(const double *accuracy, size_t points) {
    size_t first = 0;
    while (first + 1 < points && accuracy[first] < 0.95) first++;
    return (double)(first * ORDER_EVERY);
}

void experiment_initialization(const Settings *settings) {
    static double accuracy[STARTS][SEEDS][POINTS];
    Spread arrived[STARTS];
    size_t steps = settings->quick ? 40 : STEPS, seeds = settings->quick ? 1 : SEEDS,
           points = steps / ORDER_EVERY + 1;
    Csv csv = csv_begin(settings->out, "06-initialization", "start,step,mean,low,high");
    Csv arrivals = csv_begin(settings->out, "06-initialization-steps", "start,seed,steps");
    for (size_t s = 0; s < STARTS; s++) {
        double at[SEEDS];
        for (size_t k = 0; k < seeds; k++) {
            train(accuracy[s][k], s, steps, settings->seed + k);
            at[k] = arrival(accuracy[s][k], points);
            csv_row(&arrivals, "%s,%zu,%.6g", starts[s].name, k + 1, at[k]);
        }
        arrived[s] = spread_of(at, seeds, 1);
        for (size_t i = 0; i < points; i++) {
            Spread share = spread_of(&accuracy[s][0][i], seeds, POINTS);
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", starts[s].name, i * ORDER_EVERY, share.mean, share.low,
                    share.high);
        }
        printf("  %-7s words N(0, %.4f^2), positions N(0, %.2f^2): 95 %% right after %.0f to %.0f steps\n",
               starts[s].name, (double)starts[s].word_std, (double)starts[s].position_std, arrived[s].low,
               arrived[s].high);
    }
    csv_commit(&csv);
    csv_commit(&arrivals);
    claim(arrived[GPT2].high < arrived[XAVIER].low,
          "0.02 for both needs at most %.0f steps, Xavier's beside N(0, 1) at least %.0f", arrived[GPT2].high,
          arrived[XAVIER].low);
    claim(arrived[GPT2].high < arrived[ONES].low, "and N(0, 1) for both at least %.0f", arrived[ONES].low);
}
