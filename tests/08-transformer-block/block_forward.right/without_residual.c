/* Without the combinator: norms, sublayers, dropout and joins in the order of the
 * placement. */
#include "05-residual-blocks/dropout_layer.h"
#include "08-transformer-block/block.h"

Tensor *block_forward(Tape *t, const Block *b, Layer attention, Tensor *x) {
    float p = b->config.resid_dropout;
    Layer ln_1 = norm_layer(&b->ln_1), ln_2 = norm_layer(&b->ln_2);
    if (b->config.placement == PRE_LN) {
        Tensor *mixed = layer_forward(t, attention, layer_forward(t, ln_1, x));
        Tensor *h = join_forward(t, residual_join(&b->join_1), x, dropout(t, mixed, p));
        Tensor *transformed = ffn(t, &b->mlp, layer_forward(t, ln_2, h));
        return join_forward(t, residual_join(&b->join_2), h,
                            dropout(t, transformed, p));
    }
    Tensor *mixed = layer_forward(t, attention, x);
    Tensor *h = layer_forward(
        t, ln_1, join_forward(t, residual_join(&b->join_1), x, dropout(t, mixed, p)));
    Tensor *transformed = ffn(t, &b->mlp, h);
    Tensor *y =
        join_forward(t, residual_join(&b->join_2), h, dropout(t, transformed, p));
    return layer_forward(t, ln_2, y);
}
