/* GPT-2's residual initialization. Before you read on: make hint-05 EX=residual_init */
#include "05-residual-blocks/residual_init.h"

#include <math.h>

float residual_init_std(float std, size_t n_layer) {
    size_t n_additions = 2 * n_layer;
    return n_additions ? std / sqrtf((float)n_additions) : std;
}
