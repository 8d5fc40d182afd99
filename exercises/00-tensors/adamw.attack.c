/* Your attack on 00/adamw: tests that right code passes and wrong code does not. The
 * contract is in chapters/00-tensors/adamw.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-00 EX=adamw */
#include "00-tensors/adamw.h"

#include "check/check.h"

Test(attack, first_step) {
    ATTACK_TODO("00/adamw");
    float param = 1, m = 0, v = 0, grad = 2;
    adamw_update(
        &param, &m, &v, &grad, 1,
        &(AdamWSettings){
            .learning_rate = 0.5f, .beta1 = 0.9f, .beta2 = 0.99f, .eps = 1e-8f},
        1);
    /* Where are param, m and v now? CHECK_NUMBER("m", m, 0.2, 1e-6); What does a first
     * step not show? */
}
