/* The block, put together. Before you read on: make hint-08 EX=block_forward */
#include "05-residual-blocks/dropout_layer.h"
#include "08-transformer-block/block.h"

Tensor *block_forward(Tape *t, const Block *b, Layer attention, Tensor *x) {
    const BlockConfig *c = &b->config;
    DropoutAfter mixed = {attention, c->resid_dropout},
                 transformed = {ffn_layer(&b->mlp), c->resid_dropout};
    Residual first = {.placement = c->placement,
                      .norm = norm_layer(&b->ln_1),
                      .sublayer = dropout_after(&mixed),
                      .join = residual_join(&b->join_1)};
    Residual second = {.placement = c->placement,
                       .norm = norm_layer(&b->ln_2),
                       .sublayer = dropout_after(&transformed),
                       .join = residual_join(&b->join_2)};
    x = residual(t, &first, x);
    return residual(t, &second, x);
}
