/* Your attack on 06/token_embedding: tests that right code passes and wrong code does
 * not. The contract is in chapters/06-embeddings/embedding.h, the checks of numbers in
 * tests/support/check/check.h. Run it: make attack-06 EX=token_embedding */
#include "06-embeddings/embedding.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_token) {
    ATTACK_TODO("06/token_embedding");
    float table[4] = {1, 2, 3, 4}, out[2];
    embedding_forward(out, table, (int[]){0}, 1, 2);
    /* Row 0 of the table is 1 2. Which tokens tell more? */
}
