/* Your attack on 09/bpe_encode: tests that right code passes and wrong code does not.
 * The contract is in chapters/09-tokenizer/bpe_encode.h, the checks of numbers in
 * tests/support/check/check.h. Run it: make attack-09 EX=bpe_encode */
#include "09-tokenizer/bpe_encode.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_merge) {
    ATTACK_TODO("09/bpe_encode");
    MergeTable merges = {0};
    BpeScratch scratch = {0};
    int word[3] = {0, 1, 0};
    merge_table_add(&merges, 0, 1, 2);
    bpe_scratch_reserve(&scratch, 3);
    bpe_encode(word, 3, &merges, &scratch);
    /* 2 tokens are left: 2 0. bpe_encode_by_scanning (bpe_scan.h) says it for any
     * word. */
}
