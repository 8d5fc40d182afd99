/* Your attack on 03/rmsnorm: tests that right code passes and wrong code does not. The
 * contract is in chapters/03-rmsnorm/rmsnorm.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-03 EX=rmsnorm */
#include "03-rmsnorm/rmsnorm.h"

#include "check/check.h"

Test(attack, one_row) {
    ATTACK_TODO("03/rmsnorm");
    float x[2] = {1, 7}, out[2], rrms;
    rmsnorm_forward(out, &rrms, x, NULL, 1, 2, 1e-5f);
    /* The mean square is 25. What are rrms and out? */
}
