/* Your attack on 07/causal_attention: tests that right code passes and wrong code does
 * not. The contract is in chapters/07-attention/causal_attention.h, the checks of
 * numbers in tests/support/check/check.h. Run it: make attack-07 EX=causal_attention */
#include "07-attention/causal_attention.h"

#include <math.h>

#include "check/check.h"

Test(attack, one_position) {
    ATTACK_TODO("07/causal_attention");
    AttentionShape shape = {.n_heads = 1, .length = 1, .head_dim = 1};
    float q = 1, k = 2, v = 3, out, weight, scratch;
    attention_forward(&out, &weight, &scratch, &q, &k, &v, &shape);
    /* One position sees itself alone. What are weight and out? And of two, with a
     * mask? */
}
