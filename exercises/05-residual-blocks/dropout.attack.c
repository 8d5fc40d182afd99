/* Your attack on 05/dropout: tests that right code passes and wrong code does not. The
 * contract is in chapters/05-residual-blocks/dropout.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-05 EX=dropout */
#include "05-residual-blocks/dropout.h"

#include "check/check.h"

Test(attack, ten_numbers) {
    ATTACK_TODO("05/dropout");
    float x[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, out[10];
    Random random = random_create(1);
    dropout_forward(out, x, 10, 0.5f, &random);
    /* Which elements are 0? The header says it, with random_at. What are the others? */
}
