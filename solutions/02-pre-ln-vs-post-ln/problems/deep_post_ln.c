/* 24 post-LN layers whose branches begin small. Before you read on: make hint-02
 * P=deep_post_ln */
#include "02-pre-ln-vs-post-ln/problems/deep_post_ln.h"

/* With small branches LN(x + F(x)) is nearly x, so the first steps move the output by
 * little, and the gradient gets through 24 norms as through an identity. Training makes
 * the branches as large as they are useful. */
void deep_post_ln(Params *params, Stack *s) {
    (void)params;
    for (size_t l = 0; l < s->config.depth; l++) {
        Tensor *down = s->mlps[l].down.weight;
        for (size_t i = 0; i < tensor_size(down); i++) down->data[i] *= 0.1f;
    }
}
