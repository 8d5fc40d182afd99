/* Exercise 08/block_forward. The contract is in
 * chapters/08-transformer-block/block.h. */
#include "05-residual-blocks/dropout_layer.h"
#include "08-transformer-block/block.h"
#include "base/error.h"

Tensor *block_forward(Tape *t, const Block *b, Layer attention, Tensor *x) {
    EXERCISE_TODO("08/block_forward");
}
