/* Your attack on 06/word_positions: tests that right code passes and wrong code does
 * not. The contract is in chapters/06-embeddings/word_positions.h, what compares numbers
 * in tests/support/check/check.h. Run it: make attack-06 EX=word_positions */
#include "06-embeddings/word_positions.h"

#include "check/check.h"

Test(attack, one_sentence) {
    ATTACK_TODO("06/word_positions");
    int ids[3];
    word_positions(ids, (int[]){7, 7, 2}, (size_t[]){0}, 1, 3, 9);
    /* 0, 1, 2. Which batches tell more? */
}
