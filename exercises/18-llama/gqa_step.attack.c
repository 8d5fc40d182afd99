/* Your attack on 18/gqa_step: tests that right code passes and wrong code does not. The
 * contract is in chapters/18-llama/gqa_step.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-18 EX=gqa_step */
#include "18-llama/gqa_step.h"

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("18/gqa_step");
    float q[2] = {1, 2}, key = 2, value = 3, out[2], scratch[2];
    GroupShape shape = {2, 1, 1, 1, 1};
    gqa_step(out, scratch, q, &key, &value, &shape);
    /* Both heads give the value. Which heads must there be to see who shares with
     * whom? */
}
