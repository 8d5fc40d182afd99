/* Your attack on 02/pre_ln: tests that right code passes and wrong code does not. The
 * contract is in chapters/02-pre-ln-vs-post-ln/pre_ln.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-02 EX=pre_ln */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

#include "check/check.h"

static Tensor *halve(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, 0.5f);
}

static Tensor *square(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_mul(t, x, x);
}

Test(attack, order) {
    ATTACK_TODO("02/pre_ln");
    Tape t = tape_create(1);
    Residual r = {.placement = PRE_LN,
                  .norm = {halve, NULL},
                  .sublayer = {square, NULL},
                  .join = join_add()};
    Tensor *x = tape_tensor(&t, 1, (size_t[]){1}, true);
    x->data[0] = 6;
    residual_pre_ln(&t, &r, x);
    /* What should its data[0] be? And how often does each layer run, and on what? */
}
