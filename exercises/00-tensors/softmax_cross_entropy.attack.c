/* Your attack on 00/softmax_cross_entropy: tests that right code passes and wrong code
 * does not. The contract is in chapters/00-tensors/softmax_cross_entropy.h, what
 * compares numbers in tests/support/check/check.h. Run it: make attack-00
 * EX=softmax_cross_entropy */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>

#include "check/check.h"

Test(attack, three_numbers) {
    ATTACK_TODO("00/softmax_cross_entropy");
    float x[3] = {0, 1, 2}, out[3];
    softmax_forward(out, x, 1, 3, 1);
    /* What should out be? CHECK_CLOSE compares arrays: the right one is an array of
     * doubles. */
}
