/* Exercise 10/gpt2_forward. The contract is in chapters/10-gpt2/gpt2_forward.h, the
 * structs in gpt2.h. */
#include "10-gpt2/gpt2_forward.h"

#include "05-residual-blocks/dropout_layer.h"
#include "06-embeddings/embedding_layer.h"
#include "base/error.h"

Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    EXERCISE_TODO("10/gpt2_forward");
}
