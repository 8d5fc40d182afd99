/* Tests of what several seeds gave: columns of a table, and a seed that gave no
 * number. */
#include "06-embeddings/experiments/spread.h"

#include <math.h>

#include "check/check.h"

Test(spread, of_a_column, .timeout = 10) {
    const double x[] = {1, 50, 4, 60, -2, 70};
    Spread first = spread_of(x, 3, 2), second = spread_of(x + 1, 3, 2);
    CHECK(fabs(first.mean - 1) < 1e-12 && first.low == -2 && first.high == 4,
          "first column: %g, %g to %g", first.mean, first.low, first.high);
    CHECK(fabs(second.mean - 60) < 1e-12 && second.low == 50 && second.high == 70,
          "second column: %g, %g to %g", second.mean, second.low, second.high);
}

/* A claim about the smallest or the largest must fail if one seed gave no number,
 * wherever it stands. */
Test(spread, of_no_number_is_none, .timeout = 10) {
    for (size_t i = 0; i < 3; i++) {
        double x[] = {1, 2, 3};
        x[i] = NAN;
        Spread s = spread_of(x, 3, 1);
        CHECK(isnan(s.mean) && isnan(s.low) && isnan(s.high),
              "NaN at %zu gives %g, %g to %g", i, s.mean, s.low, s.high);
    }
}
