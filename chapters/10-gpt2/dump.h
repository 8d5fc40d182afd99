/* Everything a forward (and backward) pass computes, written to a safetensors file to
 * be compared with another implementation. */
#ifndef CHAPTER_10_DUMP_H
#define CHAPTER_10_DUMP_H

#include "10-gpt2/gpt2.h"

typedef struct {
    double loss; /* NaN without targets */
    size_t activation_bytes;
} DumpResult;

/* Runs `model` on the one row of the input and writes to `path`: logits [T, V],
 * hidden.0 .. hidden.L [T, C] (embeddings, then each block's output), hidden_norm [T,
 * C] (after ln_f), att.N [H, T, T]; with `targets`, the loss; with `grad` as well,
 * grad.NAME for every parameter. `path` NULL: only the numbers of the result. */
DumpResult gpt2_dump(Gpt2 *model, const Gpt2Input *row, const int *targets, bool grad,
                     const char *path);

#endif
