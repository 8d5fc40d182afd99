/* Attention with a mask as textbooks have it, added to the scores, and what goes wrong
 * with it. */
#ifndef CHAPTER_10_WRONG_MASKS_H
#define CHAPTER_10_WRONG_MASKS_H

#include "10-gpt2/gpt2.h"

typedef enum {
    MASK_RIGHT,         /* minus infinity; a query that sees nothing takes nothing */
    MASK_FLOAT,         /* -1e9 */
    MASK_HALF,          /* -1e9, kept in half precision */
    MASK_ZERO_BY_ZERO,  /* minus infinity, and a query that sees nothing takes 0/0 */
    MASK_NONE,          /* padding is read */
    MASK_QUERIES,       /* hides queries of padding, not its keys */
    MASK_AFTER_SOFTMAX, /* padding's weights become 0, and the others stay */
    MASK_POSITIONS,     /* right, but positions count the padding */
    N_MASKS
} MaskKind;

/* "-1e9-in-half" */
const char *mask_name(MaskKind kind);

/* The hidden states [batch, length, d_model] of an input with a mask, by a causal model
 * without rotations. */
Tensor *wrong_mask_hidden(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                          MaskKind kind);

#endif
