/* Stochastic depth: layers that are missing at times in training are not missed. Before
 * you read on: make hint-05 P=spare_layers */
#include "05-residual-blocks/problems/spare_layers.h"

#include "05-residual-blocks/dropout_layer.h"

/* As dropout (Srivastava et al. 2014), but the whole branch of a batch at once (Huang
 * et al. 2016): kept branches are larger by 1/(1 - p) in training, so that nothing need
 * be done where all layers are there. */
static Tensor *join(Tape *t, const void *self, Tensor *x, Tensor *branch) {
    (void)self;
    const float p = 0.4f;
    if (!t->training) return tape_add(t, x, branch);
    Random random = dropout_random(t, 1);
    return random_float(&random) < p
               ? x
               : tape_add(t, x, tape_scale(t, branch, 1 / (1 - p)));
}

void spare_layers(Params *params, Stack *s) {
    (void)params;
    for (size_t l = 0; l < s->config.depth; l++)
        s->residuals[l].join = (Join){join, NULL};
}
