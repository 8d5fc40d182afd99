/* Your attack on 05/residual_init: tests that right code passes and wrong code does
 * not. The contract is in chapters/05-residual-blocks/residual_init.h, what compares
 * numbers in tests/support/check/check.h. Run it: make attack-05 EX=residual_init */
#include "05-residual-blocks/residual_init.h"

#include "check/check.h"

Test(attack, one_block) {
    ATTACK_TODO("05/residual_init");
    residual_init_std(0.02f, 1);
    /* CHECK_NUMBER("std", residual_init_std(0.02f, 1), 0.02 / sqrt(2), 1e-6); Which
     * other models tell more? */
}
