/* Exercise 11/cosine. The contract is in chapters/11-training/cosine.h. */
#include "11-training/cosine.h"

#include "02-pre-ln-vs-post-ln/warmup.h"
#include "base/error.h"
#include "math/fmath.h"

float cosine_rate(float peak, float lowest, size_t step, size_t warmup_steps,
                  size_t total_steps) {
    EXERCISE_TODO("11/cosine");
}
