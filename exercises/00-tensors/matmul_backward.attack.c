/* Your attack on 00/matmul_backward: tests that right code passes and wrong code does
 * not. The contract is in chapters/00-tensors/matmul_backward.h, the checks of numbers
 * in tests/support/check/check.h. Run it: make attack-00 EX=matmul_backward */
#include "00-tensors/matmul_backward.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_number) {
    ATTACK_TODO("00/matmul_backward");
    float dx = 0, dweight = 0, dbias = 0, dout = 2, x = 3, weight = 5;
    matmul_backward(&dx, &dweight, &dbias, &dout, &x, &weight, 1, 1, 1);
    /* dx, dweight and dbias should be 10, 6 and 2: CHECK_NUMBER("dx", dx, 10, 1e-6);
     * Which mistakes does one number not show? */
}
