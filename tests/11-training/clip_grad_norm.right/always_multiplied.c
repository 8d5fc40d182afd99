/* Times the smaller of the quotient and 1, always. */
#include "11-training/clip_grad_norm.h"

#include <math.h>

double clip_grad_norm(Params *params, double max_norm) {
    const double total = params_grad_norm(params);
    const float scale = (float)fmin(1.0, max_norm / (total + 1e-6));
    for (float *g = params->grads; g != params->grads + params->n_grads; g++)
        *g *= scale;
    return total;
}
