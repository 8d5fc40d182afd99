/* The pre-LN residual connection. Before you read on: make hint-02 EX=pre_ln */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x) {
    Tensor *normed = layer_forward(t, r->norm, x);
    Tensor *branch = layer_forward(t, r->sublayer, normed);
    return join_forward(t, r->join, x, branch);
}
