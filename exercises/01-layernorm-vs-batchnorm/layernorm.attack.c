/* Your attack on 01/layernorm: tests that right code passes and wrong code does not.
 * The contract is in chapters/01-layernorm-vs-batchnorm/layernorm.h, the checks of
 * numbers in tests/support/check/check.h. Run it: make attack-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_row) {
    ATTACK_TODO("01/layernorm");
    float x[2] = {1, 3}, gain[2] = {1, 1}, bias[2] = {0, 0}, out[2], mean, rstd;
    layernorm_forward(out, &mean, &rstd, x, gain, bias, 1, 2, 1e-5f);
    /* The mean is 2. What are rstd and out? What would show where eps stands? */
}
