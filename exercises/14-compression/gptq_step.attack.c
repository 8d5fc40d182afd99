/* Your attack on 14/gptq_step: tests that right code passes and wrong code does not.
 * The contract is in chapters/14-compression/gptq_step.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-14 EX=gptq_step */
#include "14-compression/gptq_step.h"

#include "check/check.h"

Test(attack, two_weights) {
    ATTACK_TODO("14/gptq_step");
    float w[2] = {0.7f, 0.1f}, u[2] = {2, 1};
    gptq_step(w, 0, 1, u, 2);
    /* w should be 1 and 0.25. Which other j, and how many weights, tell more? */
}
