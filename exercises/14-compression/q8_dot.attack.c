/* Your attack on 14/q8_dot: tests that right code passes and wrong code does not. The
 * contract is in chapters/14-compression/q8_dot.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=q8_dot */
#include "14-compression/q8_dot.h"

#include "check/check.h"
#include "math/half.h"

Test(attack, ones) {
    ATTACK_TODO("14/q8_dot");
    BlockQ8_0 w = {.scale = float_to_half(1)}, x = {.scale = float_to_half(1)};
    for (int i = 0; i < BLOCK; i++) {
        w.q[i] = 1;
        x.q[i] = 1;
    }
    float sum = q8_dot_q8_0(&w, &x, 1);
    (void)sum;
    /* Each product is 1: what should the sum be? Which numbers are too large for a
     * short one? And where is Q4_0? */
}
