/* Exercise 02/pre_ln. The contract is in chapters/02-pre-ln-vs-post-ln/pre_ln.h. */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

#include "base/error.h"

Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x) {
    EXERCISE_TODO("02/pre_ln");
}
