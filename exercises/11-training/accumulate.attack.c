/* Your attack on 11/accumulate: tests that right code passes and wrong code does not.
 * The contract is in chapters/11-training/accumulate.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-11 EX=accumulate */
#include "11-training/accumulate.h"

#include "check/check.h"
#include "weights/params.h"

static Tensor *loss_of(Tape *t, void *w, size_t index) {
    (void)index;
    return tape_scale(t, w, 3);
}

Test(attack, one_batch) {
    ATTACK_TODO("11/accumulate");
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *w = params_add(&params, 1, (size_t[]){1}, "w");
    Tape t = tape_create(1);
    w->data[0] = 0.5f;
    accumulate_gradients(&t, 1, NULL, loss_of, w);
    /* What does it return, and what is w->grad[0]? And with three micro-batches that
     * differ, and of which one has more targets than the others? */
}
