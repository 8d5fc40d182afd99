/* Your attack on 15/matmul: tests that right code passes and wrong code does not. The
 * contract is in chapters/15-speed/matmul.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-15 EX=matmul */
#include "15-speed/matmul.h"

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("15/matmul");
    float a = 3, b = 5, c = 1;
    blocked_matmul(&c, (View){&a, 1, 1}, (View){&b, 1, 1}, 1, 1, 1);
    /* c should be 16: CHECK_NUMBER("c", c, 16, 1e-6); Which mistakes does one number
     * not show? */
}
