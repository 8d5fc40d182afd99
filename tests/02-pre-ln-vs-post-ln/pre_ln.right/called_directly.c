/* Without the helpers: the functions behind the layers are called, those that are
 * there. */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x) {
    Tensor *branch = x;
    if (r->norm.forward != NULL) branch = r->norm.forward(t, r->norm.self, branch);
    if (r->sublayer.forward != NULL)
        branch = r->sublayer.forward(t, r->sublayer.self, branch);
    return r->join.forward(t, r->join.self, x, branch);
}
