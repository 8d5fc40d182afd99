/* Your attack on 12/top_k: tests that right code passes and wrong code does not. The
 * contract is in chapters/12-generation/top_k.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-12 EX=top_k */
#include "12-generation/top_k.h"

#include "check/check.h"

Test(attack, one_of_two) {
    ATTACK_TODO("12/top_k");
    double scores[2] = {1, 2}, scratch[2];
    top_k(scores, scratch, 2, 1);
    /* -infinity and 2 should be left. Which scores, and which k, tell more? */
}
