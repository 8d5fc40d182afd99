/* Exercise 07/causal_attention. The contract is in
 * chapters/07-attention/causal_attention.h. */
#include "07-attention/causal_attention.h"

#include <math.h>

#include "05-residual-blocks/dropout.h"
#include "base/error.h"
#include "math/fmath.h"
#include "kernels/matmul.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

/* Stage 1 */
void attention_scores(float *scores, const float *q, const float *k,
                      const AttentionShape *shape) {
    EXERCISE_TODO("07/causal_attention");
}

/* Stage 2 */
size_t attention_visible(const AttentionShape *shape, size_t t) {
    EXERCISE_TODO("07/causal_attention");
}

/* Stage 3 */
void attention_softmax(float *weights, const AttentionShape *shape) {
    EXERCISE_TODO("07/causal_attention");
}

/* Stage 4, and 6 with dropout */
void attention_forward(float *out, float *weights, float *scratch, const float *q,
                       const float *k, const float *v, const AttentionShape *shape) {
    EXERCISE_TODO("07/causal_attention");
}

/* Stage 5, and 6 with dropout */
void attention_backward(float *dq, float *dk, float *dv, float *scratch,
                        const float *dout, const float *weights, const float *q,
                        const float *k, const float *v, const AttentionShape *shape) {
    EXERCISE_TODO("07/causal_attention");
}
