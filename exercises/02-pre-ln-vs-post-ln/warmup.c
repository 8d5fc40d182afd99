/* Exercise 02/warmup. The contract is in chapters/02-pre-ln-vs-post-ln/warmup.h. */
#include "02-pre-ln-vs-post-ln/warmup.h"

#include "base/error.h"

float warmup_rate(float peak, size_t step, size_t warmup_steps) {
    EXERCISE_TODO("02/warmup");
}
