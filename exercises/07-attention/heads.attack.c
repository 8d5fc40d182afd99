/* Your attack on 07/heads: tests that right code passes and wrong code does not. The
 * contract is in chapters/07-attention/heads.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-07 EX=heads */
#include "07-attention/heads.h"

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("07/heads");
    float x[4] = {1, 2, 3, 4}, out[4];
    split_heads(out, x, 1, 1, 2, 2, 4);
    /* One token: nothing moves. What do two tokens show, and what a longer row? */
}
