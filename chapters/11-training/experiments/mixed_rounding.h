/* Mixed precision with less in float32: a watch of the tape that rounds also sums which
 * one keeps in float32, and counts what becomes 0. */
#ifndef CHAPTER_11_MIXED_ROUNDING_H
#define CHAPTER_11_MIXED_ROUNDING_H

#include <stdbool.h>

#include "11-training/mixed_precision.h"

typedef struct {
    Precision precision;
    /* Sums that are added in 16 bits as well: the statistics of a norm and the
     * denominator of attention's softmax (forward only: backward uses the exact ones),
     * the denominator of the loss (both). */
    bool norm, softmax, loss;
    size_t n_head;
    float norm_eps;
    const int *targets; /* of the batch on the tape */
    size_t activations; /* numbers that operations put out since it was set to 0 */
    size_t gradients, underflowed; /* numbers of gradients that were not 0; that became
                                      0 */
} Rounding;

/* A TapeWatch; its context is a Rounding. */
void rounding_watch(void *rounding, const TapeNode *node, TapePass pass);

#endif
