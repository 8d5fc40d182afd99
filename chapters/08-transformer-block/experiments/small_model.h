/* The model of this chapter's experiments: tokens and positions, blocks, a last norm
 * and a head. */
#ifndef CHAPTER_08_SMALL_MODEL_H
#define CHAPTER_08_SMALL_MODEL_H

#include "08-transformer-block/block.h"

typedef struct {
    BlockConfig block;
    size_t n_layer, n_tokens, length; /* length: the number of positions */
    float std;          /* of all matrices but the two that write to the stream ... */
    float std_residual; /* ... and of those */
} SmallModelConfig;

typedef struct {
    SmallModelConfig config;
    Params params;
    Tensor *wte, *wpe;
    Block *blocks; /* [n_layer] */
    Norm ln_f;
    Linear head;
} SmallModel;

/* The norm behind the last block is of the blocks' kind; post-LN has none, as its
 * stream has just passed one. Embeddings are N(0, 1). */
SmallModel small_model_create(const SmallModelConfig *config, Random *init);
void small_model_free(SmallModel *m);

/* tokens [batch, length] -> logits [batch, length, n_tokens]. `attention` replaces the
 * attention of every block; NULL for the blocks' own. */
Tensor *small_model_logits(Tape *t, const SmallModel *m, const int *tokens,
                           size_t batch, const Layer *attention);

#endif
