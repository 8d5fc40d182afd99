/* Your attack on 03/prmsnorm: tests that right code passes and wrong code does not. The
 * contract is in chapters/03-rmsnorm/prmsnorm.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-03 EX=prmsnorm */
#include "03-rmsnorm/prmsnorm.h"

#include "check/check.h"

Test(attack, one_row) {
    ATTACK_TODO("03/prmsnorm");
    float x[3] = {1, 7, 2}, out[3], rrms;
    prmsnorm_forward(out, &rrms, x, NULL, 1, 3, 2, 1e-5f);
    /* The mean square of the part is 25. What are rrms and out? */
}
