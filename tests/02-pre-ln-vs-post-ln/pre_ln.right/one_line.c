/* In one expression, from the inside out. */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x) {
    return join_forward(t, r->join, x,
                        layer_forward(t, r->sublayer, layer_forward(t, r->norm, x)));
}
