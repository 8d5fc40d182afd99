/* An attack on 08/block_forward: the same block put together here, piece by piece. The
 * parameters are random, so that no two norms and no two joins are alike; dropout takes
 * the same numbers from two tapes of one seed. */
#include "05-residual-blocks/dropout_layer.h"
#include "08-transformer-block/block.h"
#include "check/check.h"

enum { B = 2, T = 3, C = 4, SIZE = B * T * C };

static Tensor *reverse(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, -0.7f);
}

/* One residual connection. */
static Tensor *connection(Tape *t, const BlockConfig *c, Layer norm, Layer sublayer,
                          Join join, Tensor *x) {
    Tensor *branch = layer_forward(
        t, sublayer, c->placement == PRE_LN ? layer_forward(t, norm, x) : x);
    Tensor *sum = join_forward(t, join, x, dropout(t, branch, c->resid_dropout));
    return c->placement == PRE_LN ? sum : layer_forward(t, norm, sum);
}

static void check_block(Placement placement, ResidualKind residual,
                        float resid_dropout) {
    BlockConfig config = block_config_gpt2(C, 2);
    config.placement = placement;
    config.residual = residual;
    config.resid_dropout = resid_dropout;
    config.attn_dropout = 0.5f;
    Params params = {.mode = PARAMS_TRAIN};
    Random random = random_create(1);
    Block b = block_create(&params, &random, &config, 0.5f, 0.5f, "h");
    for (size_t i = 0; i < params.n; i++)
        random_fill_normal(&random, params.items[i].tensor->data,
                           tensor_size(params.items[i].tensor), 1);
    Tape t = tape_create(2), again = tape_create(2);
    float *x = normal_floats(SIZE, 1, 3);
    Layer attention = {reverse, NULL};
    Tensor *y =
        block_forward(&t, &b, attention, tape_input(&t, 3, (size_t[]){B, T, C}, x));
    Tensor *h = tape_input(&again, 3, (size_t[]){B, T, C}, x);
    h = connection(&again, &config, norm_layer(&b.ln_1), attention,
                   residual_join(&b.join_1), h);
    h = connection(&again, &config, norm_layer(&b.ln_2), ffn_layer(&b.mlp),
                   residual_join(&b.join_2), h);
    CHECK_CLOSE("y", y->data, as_double(h->data, SIZE), SIZE, 1e-5);
}

Test(attack, blocks) {
    check_block(PRE_LN, RESIDUAL_PLAIN, 0);
    check_block(POST_LN, RESIDUAL_PLAIN, 0);
    check_block(PRE_LN, RESIDUAL_REZERO, 0);
    check_block(PRE_LN, RESIDUAL_PLAIN, 0.3f);
}
