/* Bytes at each rank, with all moments everywhere and with the moments shared out; and
 * what the exchange keeps for parts that arrive (exchange.c), one of each other rank.
 */
#include <math.h>
#include <stdio.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

void experiment_memory(const Settings *settings) {
    if (trial_ranks()->rank > 0)
        return; /* the shares are known without the other
                                            ranks */
    Gpt2Config config = gpt2_config(512, 64, 4, 4, 128);
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    double weights = 4 * (double)params_count(&model->params), worst = 0;
    Csv csv = csv_begin(settings->out, "memory",
                        "ranks,weights,gradients,moments,largest,smallest,inbox");
    printf("%5s %10s %10s %20s %22s %10s\n", "ranks", "weights", "gradients",
           "moments, everywhere", "moments, shared out", "inbox");
    for (size_t ranks = 1; ranks <= 16; ranks++) {
        Layout l = layout_create(&model->params, ranks, 1 << 18);
        double largest = 0, smallest = INFINITY;
        for (size_t r = 0; r < ranks; r++) {
            largest = larger(largest, 8 * (double)layout_share(&l, r));
            smallest = smaller(smallest, 8 * (double)layout_share(&l, r));
        }
        double inbox = (double)(ranks - 1) * largest / 2; /* a float has two moments */
        csv_row(&csv, "%zu,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f", ranks, weights, weights,
                2 * weights, largest, smallest, inbox);
        if ((ranks & (ranks - 1)) == 0)
            printf("%5zu %10.0f %10.0f %20.0f %10.0f to %8.0f %10.0f\n", ranks, weights,
                   weights, 2 * weights, smallest, largest, inbox);
        worst = larger(worst, largest * (double)ranks / (2 * weights));
        layout_free(&l);
    }
    csv_commit(&csv);
    gpt2_free(model);
    claim(worst < 1.1,
          "no rank of up to 16 has more than %.3f times its even share, 1.1 at most",
          worst);
}
