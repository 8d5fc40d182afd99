/* Linear, ReLU, linear: see mlp.h. */
#include "02-pre-ln-vs-post-ln/mlp.h"

#include <math.h>

#include "00-tensors/relu.h"

Mlp mlp_create(Params *params, Random *init, size_t d_model, size_t d_hidden,
               const char *name) {
    Mlp m;
    params_push(params, "%s", name);
    m.up = linear_create(params, init, d_model, d_hidden, true,
                         sqrtf(2.0f / (float)d_model), "c_fc");
    m.down = linear_create(params, init, d_hidden, d_model, true,
                           sqrtf(1.0f / (float)d_hidden), "c_proj");
    params_pop(params);
    return m;
}

static Tensor *mlp(Tape *t, const void *self, Tensor *x) {
    const Mlp *m = self;
    return linear(t, &m->down, relu(t, linear(t, &m->up, x)));
}

Layer mlp_layer(const Mlp *m) {
    return (Layer){mlp, m};
}
