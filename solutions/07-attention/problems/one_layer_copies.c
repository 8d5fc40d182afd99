/* Keys that know the words before their own (Olsson et al. 2022: "smeared keys").
 * Before you read on: make hint-07 P=one_layer_copies */
#include "07-attention/problems/one_layer_copies.h"

#include <string.h>

enum { CONTEXT = HEAD_DIM / WORD_DIM, SHARPNESS = 80 };

/* The CONTEXT words up to place `last`, the latest first; 0 in front of the text. */
static void context(float out[HEAD_DIM], const float *words, size_t last) {
    memset(out, 0, HEAD_DIM * sizeof *out);
    for (size_t back = 0; back < CONTEXT && back <= last; back++)
        memcpy(out + back * WORD_DIM, words + (last - back) * WORD_DIM,
               WORD_DIM * sizeof *out);
}

/* A place looks for one whose word was said behind the same words. The score counts how
 * many of them fit. */
void queries_and_keys(float *queries, float *keys, const float *words, size_t length) {
    for (size_t t = 0; t < length; t++) {
        context(queries + t * HEAD_DIM, words, t);
        for (size_t i = 0; i < HEAD_DIM; i++) queries[t * HEAD_DIM + i] *= SHARPNESS;
        if (t > 0) context(keys + t * HEAD_DIM, words, t - 1);
    }
}
