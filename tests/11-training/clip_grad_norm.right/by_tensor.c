/* Tensor by tensor; without gradients there is nothing to do. */
#include "11-training/clip_grad_norm.h"

#include <math.h>

double clip_grad_norm(Params *params, double max_norm) {
    double squares = 0;
    if (params->n_grads == 0) return 0;
    for (size_t i = 0; i < params->n; i++)
        squares += pow(tensor_grad_norm(params->items[i].tensor), 2);
    double total = sqrt(squares), scale = max_norm / (total + 1e-6);
    for (size_t i = 0; scale < 1 && i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        for (size_t k = 0; x->grad && k < tensor_size(x); k++)
            x->grad[k] = (float)((double)x->grad[k] * scale);
    }
    return total;
}
