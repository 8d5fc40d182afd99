/* Everything a forward (and backward) pass computes, written to a safetensors file to
 * be compared with another implementation, or drawn. */
#ifndef CHAPTER_10_DUMP_H
#define CHAPTER_10_DUMP_H

#include "10-gpt2/gpt2.h"

typedef struct {
    double loss; /* NaN without targets */
    size_t activation_bytes;
} DumpResult;

/* Runs `model` on the one row of the input and writes to `path`, as float32, with T
 * tokens, C = d_model, H heads of D numbers, F = d_ff, V tokens in the vocabulary, and
 * N the number of a block:
 *
 *     logits         [T, V]
 *     token          [T, C]     the rows of the token table
 *     position       [T, C]     those of the positions, where the model has a table
 *     hidden.0 .. L  [T, C]     the stream: embeddings, then each block's output
 *     ln_1.N         [T, C]     what attention reads: the stream after the norm
 *     query.N        [H, T, D]  rotated, where the model rotates; so is key.N
 *     key.N, value.N [H, T, D]  with shared keys fewer heads than H
 *     scores.N       [H, T, T]  q k^T, not yet divided by sqrt(D); 0 where the mask
 *                               hides
 *     att.N          [H, T, T]  the weights: softmax of scores / sqrt(D)
 *     heads.N        [T, C]     what the heads bring back, side by side
 *     attn_branch.N  [T, C]     what attention adds to the stream
 *     middle.N       [T, C]     the stream between: hidden.N + attn_branch.N
 *     ln_2.N         [T, C]     what the FFN reads
 *     ffn_up.N       [T, F]     its units before the activation
 *     ffn_gate.N     [T, F]     in a gated FFN: what the activation takes instead
 *     ffn_units.N    [T, F]     after it, as c_proj reads them
 *     ffn_branch.N   [T, C]     what the FFN adds: hidden.N+1 is middle.N with it
 *     hidden_norm    [T, C]     after ln_f
 *
 * with `targets`, the loss; with `grad` as well, grad.NAME for every parameter. What
 * did not run, as in a block that forgets its FFN, is left out. `path` NULL: only the
 * numbers of the result. */
DumpResult gpt2_dump(Gpt2 *model, const Gpt2Input *row, const int *targets, bool grad,
                     const char *path);

#endif
