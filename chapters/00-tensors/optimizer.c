/* Optimizers: see optimizer.h. */
#include "00-tensors/optimizer.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "tensor/trace.h"

void sgd_step(Params *params, float learning_rate) {
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        size_t n = tensor_size(x);
        for (size_t j = 0; j < n; j++) x->data[j] -= learning_rate * x->grad[j];
    }
}

static float *zeros(size_t n) {
    float *x = checked_aligned_alloc(n, sizeof *x);
    floats_zero(x, n);
    return x;
}

AdamW adamw_create(const Params *params, float learning_rate, float weight_decay) {
    size_t n = params_count(params);
    return (AdamW){
        .settings = {learning_rate, 0.9f, 0.999f, 1e-8f, weight_decay},
        .n = n,
        .m = zeros(n),
        .v = zeros(n),
    };
}

void adamw_update_parts(float *param, float *m, float *v, const float *grad, size_t n,
                        const AdamWSettings *settings, size_t step) {
    const size_t part = 1 << 14;
    if (n <= part) { /* even a team of one thread takes longer to make */
        adamw_update(param, m, v, grad, n, settings, step);
        return;
    }
#pragma omp parallel for
    for (size_t at = 0; at < n; at += part)
        adamw_update(param + at, m + at, v + at, grad + at,
                     n - at < part ? n - at : part, settings, step);
}

void adamw_step(AdamW *optimizer, Params *params) {
    if (params_count(params) != optimizer->n)
        die("adamw_step: the parameters are not those of adamw_create");
    double started = trace_clock();
    optimizer->step++;
    size_t offset = 0;
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        AdamWSettings settings = optimizer->settings;
        if (x->ndim < 2) settings.weight_decay = 0;
        adamw_update_parts(x->data, optimizer->m + offset, optimizer->v + offset,
                           x->grad, tensor_size(x), &settings, optimizer->step);
        offset += tensor_size(x);
    }
    trace_span("AdamW", started);
}

void adamw_free(AdamW *optimizer) {
    free(optimizer->m);
    free(optimizer->v);
    *optimizer = (AdamW){0};
}
