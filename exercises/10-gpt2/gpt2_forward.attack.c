/* Your attack on 10/gpt2_forward: tests that right code passes and wrong code does not.
 * The contract is in chapters/10-gpt2/gpt2_forward.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-10 EX=gpt2_forward */
#include "10-gpt2/gpt2_forward.h"

#include "check/check.h"

Test(attack, two_tokens) {
    ATTACK_TODO("10/gpt2_forward");
    Gpt2Config config = gpt2_config(5, 4, 2, 2, 4);
    Random random = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &random);
    Gpt2Input input = {
        .tokens = (int[]){3, 1}, .batch = 1, .length = 2, .positions = (int[]){0, 1}};
    Tape t = tape_create(1);
    gpt2_forward(&t, model, &input);
    /* What does it give, and what is in input.hidden, where you ask for it? */
    gpt2_free(model);
}
