/* Your attack on 15/pack: tests that right code passes and wrong code does not. The
 * contract is in chapters/15-speed/pack.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-15 EX=pack */
#include "15-speed/pack.h"

#include "check/check.h"

Test(attack, one_panel) {
    ATTACK_TODO("15/pack");
    float x[4] = {1, 2, 3, 4}, packed[4];
    pack(packed, (View){x, 2, 1}, 2, 2, 2);
    /* packed should be 1, 2, 3, 4: CHECK_CLOSE("packed", packed, ((double[]){1, 2, 3,
     * 4}), 4, 1e-7); Which mistakes does one full panel not show? */
}
