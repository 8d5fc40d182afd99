/* RBE's eight functions of the place in a tile: see rbe_fit.h. */
#include <math.h>

#include "14-compression/rbe_fit.h"

void rbe_basis(double *phi, size_t side) {
    const double pi = 3.14159265358979323846;
    int n = (int)side;
    for (int i = 0; i < n * n; i++) {
        double y = 2.0 * (i / n) / (n - 1) - 1, x = 2.0 * (i % n) / (n - 1) - 1;
        double d = sqrt(x * x + y * y);
        const double values[RBE_FUNCTIONS] = {1,
                                              d,
                                              d * d,
                                              cos(pi * x),
                                              cos(pi * y),
                                              cos(2 * pi * x),
                                              cos(2 * pi * y),
                                              cos(pi * x) * cos(pi * y)};
        for (int k = 0; k < RBE_FUNCTIONS; k++) phi[k * n * n + i] = values[k];
    }
}
