/* Your attack on 14/dct_topk: tests that right code passes and wrong code does not. The
 * contract is in chapters/14-compression/dct_topk.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=dct_topk */
#include "14-compression/dct_topk.h"

#include "check/check.h"

Test(attack, ones) {
    ATTACK_TODO("14/dct_topk");
    float *x = equal_floats(TILE_SIZE, 1), *t = nan_floats(TILE_SIZE);
    dct_forward(t, x);
    /* One coefficient of 32, at place 0, and zeros. Which tile has more to say? Four
     * functions are yours. */
}
