/* Open problem 07/one_layer_copies. The rules are in
 * chapters/07-attention/problems/one_layer_copies.h. */
#include "07-attention/problems/one_layer_copies.h"

#include "program/problem.h"

/* Each place looks for the word that it is. */
void queries_and_keys(float *queries, float *keys, const float *words, size_t length) {
    PROBLEM_TODO("07/one_layer_copies");
    for (size_t t = 0; t < length; t++) {
        for (size_t i = 0; i < WORD_DIM; i++)
            queries[t * HEAD_DIM + i] = keys[t * HEAD_DIM + i] =
                8 * words[t * WORD_DIM + i];
    }
}
