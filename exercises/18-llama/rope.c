/* Exercise 18/rope. The contract is in chapters/18-llama/rope.h. */
#include "18-llama/rope.h"

#include "base/error.h"
#include "math/fmath.h"

void rope_frequencies(float *frequencies, size_t d_model, size_t n_head, float base) {
    EXERCISE_TODO("18/rope");
}

void rope_forward(float *out, const float *qkv, const RopeShape *shape) {
    EXERCISE_TODO("18/rope");
}

void rope_backward(float *dqkv, const float *dout, const RopeShape *shape) {
    EXERCISE_TODO("18/rope");
}
