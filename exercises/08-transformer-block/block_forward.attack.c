/* Your attack on 08/block_forward: tests that right code passes and wrong code does
 * not. The contract is in chapters/08-transformer-block/block.h, what compares numbers
 * in tests/support/check/check.h. Run it: make attack-08 EX=block_forward */
#include "08-transformer-block/block.h"

#include "check/check.h"

Test(attack, one_block) {
    ATTACK_TODO("08/block_forward");
    Params params = {.mode = PARAMS_TRAIN};
    Random random = random_create(1);
    BlockConfig config = block_config_gpt2(4, 2);
    Block b = block_create(&params, &random, &config, 0.5f, 0.5f, "h");
    Tape t = tape_create(1);
    Tensor *x = tape_input(&t, 3, (size_t[]){1, 3, 4}, normal_floats(12, 1, 2));
    block_forward(&t, &b, attention_layer(&b.attn), x);
    /* The same, made of its pieces: layer_forward with norm_layer(&b.ln_1),
     * attention_layer, ffn_layer. */
}
