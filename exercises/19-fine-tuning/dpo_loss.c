/* Exercise 19/dpo_loss. The contract is in chapters/19-fine-tuning/dpo_loss.h. */
#include "19-fine-tuning/dpo_loss.h"

#include "base/error.h"
#include "math/fmath.h"

float dpo_loss(float *dchosen, float *drejected, const PairLogP *policy,
               const PairLogP *reference, size_t n, float beta) {
    EXERCISE_TODO("19/dpo_loss");
}
