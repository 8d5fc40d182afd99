/* Your attack on 12/repetition_penalty: tests that right code passes and wrong code
 * does not. The contract is in chapters/12-generation/repetition_penalty.h, what
 * compares numbers in tests/support/check/check.h. Run it: make attack-12
 * EX=repetition_penalty */
#include "12-generation/repetition_penalty.h"

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("12/repetition_penalty");
    double scores[2] = {4, 1};
    repetition_penalty(scores, (int[]){0, 0}, 1, 2);
    /* CHECK(scores[0] == 2, "score 0 is %g", scores[0]); Which contexts tell more? */
}
