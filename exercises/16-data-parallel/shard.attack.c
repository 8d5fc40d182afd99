/* Your attack on 16/shard: tests that right code passes and wrong code does not. The
 * contract is in chapters/16-data-parallel/shard.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-16 EX=shard */
#include "16-data-parallel/shard.h"

#include "check/check.h"

Test(attack, ten_batches) {
    ATTACK_TODO("16/shard");
    shard_batches(10, 1, 4);
    shard_rows((size_t[]){0, 10, 20}, 2, 1, 2);
    /* Where does each rank begin, and where does the last one end? What of rows of
     * different sizes? */
}
