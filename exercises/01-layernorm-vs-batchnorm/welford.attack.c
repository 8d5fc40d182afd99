/* Your attack on 01/welford: tests that right code passes and wrong code does not. The
 * contract is in chapters/01-layernorm-vs-batchnorm/welford.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-01 EX=welford */
#include "01-layernorm-vs-batchnorm/welford.h"

#include "check/check.h"

Test(attack, two_numbers) {
    ATTACK_TODO("01/welford");
    WelfordStats s = {0};
    welford_update(&s, 1);
    welford_update(&s, 3);
    /* What are count, mean, m2, and the two variances? CHECK_NUMBER("mean", s.mean, 2,
     * 1e-6); */
}
