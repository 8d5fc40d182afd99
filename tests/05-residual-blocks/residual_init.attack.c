/* An attack on 05/residual_init: 0 to 100 blocks, and very many. */
#include "05-residual-blocks/residual_init.h"

#include <math.h>

#include "check/check.h"

Test(attack, any_number_of_blocks) {
    for (size_t n = 0; n <= 100; n++)
        CHECK_NUMBER("std", residual_init_std(0.02f, n),
                     n ? 0.02 / sqrt(2 * (double)n) : 0.02, 1e-6);
    CHECK_NUMBER("std", residual_init_std(0.02f, 50000), 0.02 / sqrt(100000), 1e-6);
}
