/* Exercise 11/clip_grad_norm. The contract is in
 * chapters/11-training/clip_grad_norm.h. */
#include "11-training/clip_grad_norm.h"

#include "base/error.h"

double clip_grad_norm(Params *params, double max_norm) {
    EXERCISE_TODO("11/clip_grad_norm");
}
