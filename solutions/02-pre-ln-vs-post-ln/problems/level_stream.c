/* Pre-LN layers whose branches begin small in each of their factors. Before you read
 * on: make hint-02 P=level_stream */
#include "02-pre-ln-vs-post-ln/problems/level_stream.h"

static void scale(Tensor *x, float factor) {
    for (size_t i = 0; i < tensor_size(x); i++) x->data[i] *= factor;
}

/* A branch is gain * up * down, and Adam moves each of them by the same amount, however
 * small its gradient: with one small factor the branch still grows as fast as the other
 * two let it. */
void level_stream(Stack *s) {
    for (size_t l = 0; l < s->config.depth; l++) {
        scale(s->norms[l].gain, 0.3f);
        scale(s->mlps[l].up.weight, 0.3f);
        scale(s->mlps[l].down.weight, 0.1f);
    }
}
