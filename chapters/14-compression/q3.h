/* Q3: Q4_0's idea with 3 bits, 3.5 bits a weight with the scale. ggml has no such
 * block. */
#ifndef CHAPTER_14_Q3_H
#define CHAPTER_14_Q3_H

#include "14-compression/codec.h"
#include "weights/weight_blocks.h"

/* scale * (q - 4), q packed by bits_put. */
typedef struct PACKED {
    uint16_t scale;
    uint8_t q[BLOCK * 3 / 8];
} BlockQ3;

extern const WeightType weight_q3;

/* d = m / -4 for the x of the largest |x|; q = min(7, (int)(x / d + 4.5)). */
void q3_encode(BlockQ3 *block, const float x[BLOCK]);

#endif
