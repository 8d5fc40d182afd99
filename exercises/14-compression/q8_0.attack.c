/* Your attack on 14/q8_0: tests that right code passes and wrong code does not. The
 * contract is in chapters/14-compression/q8_0.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=q8_0 */
#include "14-compression/q8_0.h"

#include "check/check.h"

Test(attack, ones) {
    ATTACK_TODO("14/q8_0");
    float *x = equal_floats(BLOCK, 1);
    BlockQ8_0 block;
    q8_0_encode(&block, x);
    q8_0_decode(x, &block);
    /* Each q should be 127. Which weights tell how it is rounded? half_to_float is in
     * common/math/half.h. */
}
