/* Mean, smallest and largest of several seeds: see spread.h. */
#include "06-embeddings/experiments/spread.h"

#include "math/fit.h"

Spread spread_of(const double *x, size_t n, size_t stride) {
    Spread s = {0, x[0], x[0]};
    for (size_t i = 0; i < n; i++) {
        s.mean += x[i * stride] / (double)n;
        s.low = smaller(s.low, x[i * stride]);
        s.high = larger(s.high, x[i * stride]);
    }
    return s;
}
