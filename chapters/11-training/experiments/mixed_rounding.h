/* Training in 16 bits, simulated: a watch of the tape that rounds what each operation
 * computes, forward and backward, and the sums that one keeps in float32. The
 * arithmetic stays float; only what would be stored is rounded. */
#ifndef CHAPTER_11_MIXED_ROUNDING_H
#define CHAPTER_11_MIXED_ROUNDING_H

#include <stdbool.h>

#include "tensor/tape.h"

typedef enum { FORMAT_F32, FORMAT_BF16, FORMAT_F16 } Format;

/* x [n] to the format's nearest numbers. Returns how many became 0 that were not. */
size_t round_floats(Format format, float *x, size_t n);

typedef struct {
    Format format;
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

/* A TapeWatch; its context is a Rounding. A tensor of one number, the loss, is left in
 * float32. */
void rounding_watch(void *rounding, const TapeNode *node, TapePass pass);

#endif
