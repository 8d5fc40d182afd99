/* Your attack on 08/count_parameters: tests that right code passes and wrong code does
 * not. The contract is in chapters/08-transformer-block/count_parameters.h, what
 * compares numbers in tests/support/check/check.h. Run it: make attack-08
 * EX=count_parameters */
#include "08-transformer-block/count_parameters.h"

#include "check/check.h"

Test(attack, table_alone) {
    ATTACK_TODO("08/count_parameters");
    ModelShape shape = {
        .n_vocab = 10, .d_model = 3, .n_head = 1, .n_kv_head = 1, .tied_head = true};
    count_parameters(&shape);
    /* 30 in embeddings and in total. CHECK(condition, "...", ...) takes any
     * condition. */
}
