/* Your attack on 14/q4_0: tests that right code passes and wrong code does not. The
 * contract is in chapters/14-compression/q4_0.h, the checks of numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=q4_0 */
#include "14-compression/q4_0.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_block) {
    ATTACK_TODO("14/q4_0");
    float out, *x = normal_floats(BLOCK, 1, 1);
    BlockQ4_0 block;
    q4_0_encode(&block, x);
    q4_0_matvec(&out, x, &block, 1, BLOCK);
    /* The product should be near the sum of the squares. How near? And where is the
     * second row? */
}
