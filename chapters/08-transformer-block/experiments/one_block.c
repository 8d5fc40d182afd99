/* One block of the small GPT-2: see one_block.h. */
#include "08-transformer-block/experiments/one_block.h"

Work work_of(double length) {
    const double d = D_MODEL;
    return (Work){.projections = length * 4 * d * d / 1e6,
                  /* scores, and the weighted sum of the values */
                  .looking = length * (length + 1) * d / 1e6,
                  .ffn = length * 2 * d * D_FF / 1e6};
}

OneBlock one_block(ParamsMode mode) {
    OneBlock b = {.params = {.mode = mode}};
    Random init = random_create(1);
    BlockConfig config = block_config_gpt2(D_MODEL, N_HEAD);
    b.block = block_create(&b.params, &init, &config, 0.02f, 0.02f, "h");
    return b;
}

void one_block_free(OneBlock *b) {
    block_free(&b->block);
    params_free(&b->params);
}
