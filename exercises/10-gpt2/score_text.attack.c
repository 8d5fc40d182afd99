/* Your attack on 10/score_text: tests that right code passes and wrong code does not.
 * The contract is in chapters/10-gpt2/score_text.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-10 EX=score_text */
#include "10-gpt2/score_text.h"

#include "check/check.h"

Test(attack, one_window) {
    ATTACK_TODO("10/score_text");
    Gpt2Config config = gpt2_config(5, 4, 1, 1, 4);
    Random random = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &random);
    const int tokens[] = {3, 1, 4};
    score_text(model, tokens, 3, 4);
    /* How many nats should that be, and which mistakes does one window not show? */
    gpt2_free(model);
}
