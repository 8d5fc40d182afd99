/* Your attack on 05/measure_scales: tests that right code passes and wrong code does
 * not. The contract is in chapters/05-residual-blocks/measure_scales.h, what compares
 * numbers in tests/support/check/check.h. Run it: make attack-05 EX=measure_scales */
#include "05-residual-blocks/measure_scales.h"

#include "check/check.h"

/* F(x) = x: a branch that is the stream itself. */
static void same(float *out, const float *x, size_t n, size_t l, const void *self) {
    (void)l;
    (void)self;
    for (size_t i = 0; i < n; i++) out[i] = x[i];
}

Test(attack, one_branch) {
    ATTACK_TODO("05/measure_scales");
    float scale, x[2] = {3, 4};
    measure_scales(&scale, x, 2, 4, &(Branches){1, same, NULL});
    /* x + s x has (1 + s)^2 times the mean square of x. What is s? And which other
     * branches tell more? */
}
