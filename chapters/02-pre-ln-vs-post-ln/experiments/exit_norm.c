/* A norm behind each sublayer of a stack: see exit_norm.h. */
#include "02-pre-ln-vs-post-ln/experiments/exit_norm.h"

static Tensor *norm_behind(Tape *t, const void *self, Tensor *x) {
    const NormedSublayer *n = self;
    Tensor *branch = layer_forward(t, n->sublayer, x);
    return layer_forward(t, layernorm_layer(&n->norm), branch);
}

void add_exit_norms(NormedSublayer *normed, Params *params, Stack *s) {
    size_t d_model = s->config.d_model;
    for (size_t l = 0; l < s->config.depth; l++) {
        Residual *r = &s->residuals[l];
        NormedSublayer *n = &normed[l];
        n->sublayer = r->sublayer;
        params_push(params, "h.%zu", l);
        n->norm = layernorm_create(params, 1, &d_model, 1e-5f, "ln_exit");
        params_pop(params);
        r->sublayer = (Layer){norm_behind, n};
    }
}
