/* Your attack on 11/clip_grad_norm: tests that right code passes and wrong code does
 * not. The contract is in chapters/11-training/clip_grad_norm.h, the checks of numbers
 * in tests/support/check/check.h. Run it: make attack-11 EX=clip_grad_norm */
#include "11-training/clip_grad_norm.h"

#include <math.h>

#include "check/check.h"

Test(attack, two_numbers) {
    ATTACK_TODO("11/clip_grad_norm");
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *w = params_add(&params, 1, (size_t[]){2}, "w");
    w->grad[0] = 3;
    w->grad[1] = 4;
    clip_grad_norm(&params, 1);
    /* The norm is 5. What does it return, and what are the gradients now? */
}
