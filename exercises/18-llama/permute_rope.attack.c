/* Your attack on 18/permute_rope: tests that right code passes and wrong code does not.
 * The contract is in chapters/18-llama/permute_rope.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-18 EX=permute_rope */
#include "18-llama/permute_rope.h"

#include "check/check.h"

Test(attack, two_rows) {
    ATTACK_TODO("18/permute_rope");
    float rows[2] = {1, 2}, out[2];
    rope_to_gguf(out, rows, 1, 2, sizeof *rows);
    /* A head of one pair stays as it is. How many rows does a head need to show
     * more? */
}
