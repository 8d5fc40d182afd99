/* The power -1/2 of the number of additions, at least one of which is counted. */
#include "05-residual-blocks/residual_init.h"

#include <math.h>

float residual_init_std(float std, size_t n_layer) {
    size_t additions = n_layer > 0 ? n_layer + n_layer : 1;
    return std * (float)pow((double)additions, -0.5);
}
