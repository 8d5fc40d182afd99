/* Exercise 13/attention_step. The contract is in
 * chapters/13-kv-cache/attention_step.h. */
#include "13-kv-cache/attention_step.h"

#include "base/error.h"
#include "math/fmath.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

void attention_step(float *out, float *scratch, const float *q, const float *keys,
                    const float *values, size_t n_head, size_t head_dim,
                    size_t capacity, size_t length) {
    EXERCISE_TODO("13/attention_step");
}
