/* The residual connection with the norm behind the sum: see residual.h. */
#include "02-pre-ln-vs-post-ln/residual.h"

#include "02-pre-ln-vs-post-ln/pre_ln.h"

static Tensor *add(Tape *t, const void *self, Tensor *x, Tensor *branch) {
    (void)self;
    tensor_expect_same_shape("residual: stream and branch", x, branch);
    return tape_add(t, x, branch);
}

Join join_add(void) {
    return (Join){add, NULL};
}

//> post_ln
Tensor *residual_post_ln(Tape *t, const Residual *r, Tensor *x) {
    Tensor *branch = layer_forward(t, r->sublayer, x);
    return layer_forward(t, r->norm, join_forward(t, r->join, x, branch));
}
//< post_ln

Tensor *residual(Tape *t, const Residual *r, Tensor *x) {
    return r->placement == PRE_LN ? residual_pre_ln(t, r, x)
                                  : residual_post_ln(t, r, x);
}
