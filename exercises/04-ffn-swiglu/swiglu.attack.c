/* Your attack on 04/swiglu: tests that right code passes and wrong code does not. The
 * contract is in chapters/04-ffn-swiglu/swiglu.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-04 EX=swiglu */
#include "04-ffn-swiglu/swiglu.h"

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("04/swiglu");
    float gate = 1, up = 2, out[2];
    swiglu_forward(out, &gate, &up, 1);
    /* What is out[0]? The formula in double is a line of C: exp is in <math.h>. */
}
