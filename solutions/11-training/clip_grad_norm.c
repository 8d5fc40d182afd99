/* Gradient clipping. Before you read on: make hint-11 EX=clip_grad_norm */
#include "11-training/clip_grad_norm.h"

double clip_grad_norm(Params *params, double max_norm) {
    double total = params_grad_norm(params);
    double scale = max_norm / (total + 1e-6);
    if (!(scale < 1)) return total;
    for (size_t i = 0; i < params->n_grads; i++) params->grads[i] *= (float)scale;
    return total;
}
