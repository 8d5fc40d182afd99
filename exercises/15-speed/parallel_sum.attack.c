/* Your attack on 15/parallel_sum: tests that right code passes and wrong code does not.
 * The contract is in chapters/15-speed/parallel_sum.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-15 EX=parallel_sum */
#include "15-speed/parallel_sum.h"

#include "check/check.h"

Test(attack, three_numbers) {
    ATTACK_TODO("15/parallel_sum");
    float x[3] = {1, 2, 4};
    double sum = parallel_sum(x, 3);
    (void)sum;
    /* sum should be 7: CHECK_NUMBER("sum", sum, 7, 1e-7); Which mistakes do three
     * numbers not show? */
}
