/* Your attack on 02/warmup: tests that right code passes and wrong code does not. The
 * contract is in chapters/02-pre-ln-vs-post-ln/warmup.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-02 EX=warmup */
#include "02-pre-ln-vs-post-ln/warmup.h"

#include "check/check.h"

Test(attack, first_step) {
    ATTACK_TODO("02/warmup");
    warmup_rate(0.5f, 1, 10);
    /* CHECK_NUMBER("rate", warmup_rate(0.5f, 1, 10), 0.05, 1e-6); Which steps tell
     * more? */
}
