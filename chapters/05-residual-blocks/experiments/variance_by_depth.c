/* The size of the stream after each sublayer. */
#include <math.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/schemes.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"

void experiment_variance_by_depth(const Settings *settings) {
    enum { DEPTH = 32 };
    static double size[SIZED][DEPTH + 1];
    for (size_t s = 0; s < SIZED; s++)
        mean_stream_size(size[s], &schemes[s], settings, DEPTH);
    Csv csv =
        csv_begin(settings->out, "variance-by-depth",
                  "l,none,plain,plain_scaled,post_ln,pre_ln,pre_ln_scaled,rezero");
    double l_axis[DEPTH + 1], log2_plain[DEPTH + 1];
    for (size_t l = 0; l <= DEPTH; l++) {
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", l, size[NONE][l],
                size[PLAIN][l], size[PLAIN_SCALED][l], size[POST][l], size[PRE][l],
                size[PRE_SCALED][l], size[REZERO][l]);
        l_axis[l] = (double)l;
        log2_plain[l] = log_double(size[PLAIN][l]) / log_double(2.0);
    }
    csv_commit(&csv);
    double doublings = fit_slope(l_axis, log2_plain, DEPTH + 1);
    double growth = fit_slope(l_axis, size[PRE], DEPTH + 1);
    claim(fabs(doublings - 1) < 0.1,
          "x + F(x): log2 |x_l|^2/d grows by %.3f a sublayer, expected 1 (2^l)",
          doublings);
    claim(fabs(growth - 1) < 0.1,
          "x + F(norm x): |x_l|^2/d grows by %.3f a sublayer, expected 1 (l + 1)",
          growth);
    claim(fabs(size[PLAIN_SCALED][DEPTH] - 2.68) < 0.3,
          "x + F(x) / sqrt N: %.2f at l = N = %d, expected (1 + 1/N)^N = 2.68",
          size[PLAIN_SCALED][DEPTH], DEPTH);
    claim(fabs(size[PRE_SCALED][DEPTH] - 2) < 0.2,
          "x + F(norm x) / sqrt N: %.2f at l = N, expected 2", size[PRE_SCALED][DEPTH]);
    claim(size[REZERO][DEPTH] == size[REZERO][0],
          "ReZero with alpha = 0 passes x on: %.3f at both ends", size[REZERO][DEPTH]);
}
