/* One function for a connection, called twice. */
#include "05-residual-blocks/dropout_layer.h"
#include "08-transformer-block/block.h"

static Tensor *connect(Tape *t, const BlockConfig *config, const Norm *norm,
                       Layer inner, const ResidualJoin *join, Tensor *x) {
    DropoutAfter dropped = {inner, config->resid_dropout};
    Residual r = {.placement = config->placement,
                  .norm = norm_layer(norm),
                  .sublayer = dropout_after(&dropped),
                  .join = residual_join(join)};
    return residual(t, &r, x);
}

Tensor *block_forward(Tape *t, const Block *b, Layer attention, Tensor *x) {
    Tensor *h = connect(t, &b->config, &b->ln_1, attention, &b->join_1, x);
    return connect(t, &b->config, &b->ln_2, ffn_layer(&b->mlp), &b->join_2, h);
}
