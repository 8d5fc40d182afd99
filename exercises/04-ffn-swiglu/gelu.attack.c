/* Your attack on 04/gelu: tests that right code passes and wrong code does not. The
 * contract is in chapters/04-ffn-swiglu/gelu.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-04 EX=gelu */
#include "04-ffn-swiglu/gelu.h"

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("04/gelu");
    float x = 1, out;
    gelu_tanh_forward(&out, &x, 1);
    /* The formula in double is a line of C: tanh and erf are in <math.h>. For which x
     * do the mistakes differ? */
}
