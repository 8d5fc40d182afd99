/* Your attack on 16/tree_reduce: tests that right code passes and wrong code does not.
 * The contract is in chapters/16-data-parallel/tree_reduce.h, the checks of numbers in
 * tests/support/check/check.h. Run it: make attack-16 EX=tree_reduce */
#include "16-data-parallel/tree_reduce.h"

#include <math.h>

#include "check/check.h"

Test(attack, two_leaves) {
    ATTACK_TODO("16/tree_reduce");
    float left = 1, right = 2;
    Part parts[2] = {{0, 1, &left}, {1, 1, &right}};
    tree_reduce(parts, 2, 2, 1);
    /* Which sum is in parts[0] now? And of micro-batches 3, 4, 5 and 6 of 7, which are
     * added? */
}
