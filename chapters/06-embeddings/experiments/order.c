/* Which of two words comes first? With learned, with sinusoidal and without positions. */
#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/order_model.h"
#include "claim.h"
#include "csv.h"

enum { ORDER_STEPS = 400, ORDER_POINTS = ORDER_STEPS / ORDER_EVERY + 1 };

void experiment_order(const Settings *settings) {
    double accuracy[N_ORDER_POSITIONS][ORDER_POINTS];
    size_t steps = settings->quick ? 100 : ORDER_STEPS, n = 0;
    for (int kind = 0; kind < N_ORDER_POSITIONS; kind++) {
        n = order_train(accuracy[kind], (OrderPositions)kind, steps, settings->seed);
    }
    Csv csv = csv_begin(settings->out, "06-order", "step,none,learned,sinusoidal");
    for (size_t i = 0; i < n; i++) {
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", i * ORDER_EVERY, accuracy[0][i], accuracy[1][i], accuracy[2][i]);
    }
    csv_commit(&csv);
    double none = accuracy[ORDER_NO_POSITIONS][n - 1];
    claim(none > 0.45 && none < 0.55, "without positions the answer is a guess: %.1f %% right", 100 * none);
    for (int kind = ORDER_LEARNED; kind <= ORDER_SINUSOIDAL; kind++) {
        claim(accuracy[kind][n - 1] > 0.98, "with %s positions %.1f %% right", order_positions_names[kind],
              100 * accuracy[kind][n - 1]);
    }
}
