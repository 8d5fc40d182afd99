/* Your attack on 05/rezero: tests that right code passes and wrong code does not. The
 * contract is in chapters/05-residual-blocks/rezero.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-05 EX=rezero */
#include "05-residual-blocks/rezero.h"

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("05/rezero");
    float x = 1, branch = 2, out;
    rezero_forward(&out, &x, &branch, 0.5f, 1);
    /* What is out? CHECK_NUMBER("out", out, ..., 1e-6); And the three gradients? */
}
