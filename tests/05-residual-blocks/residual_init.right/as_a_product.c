/* Times 1 / sqrt, in double. */
#include "05-residual-blocks/residual_init.h"

#include <math.h>

float residual_init_std(float std, size_t n_layer) {
    if (n_layer == 0) return std;
    return (float)((double)std * (1 / sqrt(2.0 * (double)n_layer)));
}
