/* One block of the small GPT-2: its cost, counted and measured. */
#ifndef CHAPTER_08_ONE_BLOCK_H
#define CHAPTER_08_ONE_BLOCK_H

#include "08-transformer-block/block.h"

enum { D_MODEL = 768, N_HEAD = 12, D_FF = 4 * D_MODEL };

/* Multiplications of one forward pass over `length` positions, in millions. Position t
 * looks at t + 1. */
typedef struct {
    double projections, looking, ffn;
} Work;

Work work_of(double length);

typedef struct {
    Params params;
    Block block;
} OneBlock;

/* A block with random weights, ready for a forward pass. */
OneBlock one_block(ParamsMode mode);
void one_block_free(OneBlock *b);

#endif
