/* Your attack on 10/tied_head: tests that right code passes and wrong code does not.
 * The contract is in chapters/10-gpt2/tied_head.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-10 EX=tied_head */
#include "10-gpt2/tied_head.h"

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("10/tied_head");
    float logit, hidden = 2, wte = 3;
    tied_head_forward(&logit, &hidden, &wte, 1, 1, 1);
    /* CHECK_NUMBER("logit", logit, 6, 1e-6); Which mistakes does one number not
     * show? */
}
