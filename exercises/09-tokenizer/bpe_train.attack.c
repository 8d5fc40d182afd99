/* Your attack on 09/bpe_train: tests that right code passes and wrong code does not.
 * The contract is in chapters/09-tokenizer/bpe_train.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-09 EX=bpe_train */
#include "09-tokenizer/bpe_train.h"

#include "check/check.h"

Test(attack, one_word) {
    ATTACK_TODO("09/bpe_train");
    PairCounts pairs = {0};
    BpeWord word = {(int[]){0, 1, 0}, 3, 5};
    bpe_count_word(&pairs, &word, 0);
    /* What does pair_counts_get give for (0, 1), (1, 0) and (0, 0)? */
}
