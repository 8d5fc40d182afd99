/* The size of the stream at the end, with and without GPT-2's scaling. */
#include <math.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/schemes.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

void experiment_residual_init(const Settings *settings) {
    const size_t depths[] = {6, 12, 24, 48, 96};
    enum { DEPTHS = sizeof depths / sizeof *depths };
    double n_plus_1[DEPTHS], unscaled[DEPTHS], scaled[DEPTHS], low = INFINITY, high = 0;
    Csv csv = csv_begin(settings->out, "residual-init", "n,unscaled,scaled");
    for (size_t i = 0; i < DEPTHS; i++) {
        double size[MAX_DEPTH + 1];
        n_plus_1[i] = (double)(depths[i] + 1);
        mean_stream_size(size, &schemes[PRE], settings, depths[i]);
        unscaled[i] = size[depths[i]];
        mean_stream_size(size, &schemes[PRE_SCALED], settings, depths[i]);
        scaled[i] = size[depths[i]];
        low = smaller(low, scaled[i]);
        high = larger(high, scaled[i]);
        csv_row(&csv, "%zu,%.6g,%.6g", depths[i], unscaled[i], scaled[i]);
    }
    csv_commit(&csv);
    double exponent = fit_exponent(n_plus_1, unscaled, DEPTHS);
    claim(fabs(exponent - 1) < 0.1,
          "unscaled: |x_N|^2/d grows as (N + 1)^%.2f, expected (N + 1)^1", exponent);
    claim(high / low < 1.15,
          "scaled by 1/sqrt N: |x_N|^2/d from %.2f to %.2f over N = %zu to %zu, flat "
          "within 15 %%",
          low, high, depths[0], depths[DEPTHS - 1]);
}
