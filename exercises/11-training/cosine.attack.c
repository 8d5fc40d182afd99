/* Your attack on 11/cosine: tests that right code passes and wrong code does not. The
 * contract is in chapters/11-training/cosine.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-11 EX=cosine */
#include "11-training/cosine.h"

#include "check/check.h"

Test(attack, middle) {
    ATTACK_TODO("11/cosine");
    cosine_rate(1, 0, 5, 0, 10);
    /* CHECK_NUMBER("rate", cosine_rate(1, 0, 5, 0, 10), 0.5, 1e-6); Which steps tell
     * more? */
}
