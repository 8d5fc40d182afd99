/* The cost of a training run: see cost.h. */
#include "11-training/cost.h"

#include <stdlib.h>

#include "base/clock.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "base/memory.h"

//> train_flops
double train_flops(const Trainer *t) {
    const TrainSettings *s = &t->settings;
    double a_token =
        6.0 * (double)(s->model.n_layer * s->length * s->model.block.d_model);
    for (size_t i = 0; i < t->model->params.n; i++) {
        const Tensor *x = t->model->params.items[i].tensor;
        bool looked_up = x == t->model->wpe || x == t->model->wte;
        if (x->ndim == 2 && (!looked_up || x == t->model->head_table))
            a_token += 6.0 * (double)tensor_size(x);
    }
    return a_token * (double)(s->accumulate * s->batch * s->length);
}
//< train_flops

double machine_flops(void) {
    enum { SIDE = 512 };
    const double seconds = 0.05;
    size_t size = (size_t)SIDE * SIDE;
    float *a = checked_alloc(size, sizeof *a), *b = checked_alloc(size, sizeof *b),
          *c = checked_alloc(size, sizeof *c);
    double began = clock_seconds(), best = 0;
    for (double start = began; start - began < seconds;) {
        matmul(c, a, b, SIDE, SIDE, SIDE, false);
        double end = clock_seconds();
        best = larger(best, 2.0 * SIDE * (double)size / (end - start));
        start = end;
    }
    free(a);
    free(b);
    free(c);
    return best;
}

TrainMemory train_memory(const Trainer *t) {
    const Params *params = &t->model->params;
    const TokenText *train = &t->data->train, *validation = &t->data->validation;
    return (TrainMemory){
        .weights = params_bytes(params) +
                   (t->mixed.master ? params_count(params) * sizeof(float) : 0),
        .gradients = params_count(params) * sizeof(float),
        .moments = 2 * t->optimizer.n * sizeof(float),
        .activations = t->tape.arena.peak,
        .text = (train->n + validation->n) * sizeof(int) +
                (train->n_starts + validation->n_starts) * sizeof *train->starts,
    };
}
