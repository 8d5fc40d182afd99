/* Gates other than SwiGLU (Dauphin et al. 2016; Shazeer 2020): act(gate) * up.
 *
 * glu is written as one kernel, as SwiGLU will be; the others are put together from
 * existing operations. */
#ifndef CHAPTER_04_GLU_H
#define CHAPTER_04_GLU_H

#include "tensor/tape.h"

/* gate and up have the same shape. */
Tensor *glu(Tape *t, Tensor *gate, Tensor *up); /* sigmoid(gate) * up */
/* gate * up: no activation at all */
Tensor *bilinear(Tape *t, Tensor *gate, Tensor *up);
Tensor *reglu(Tape *t, Tensor *gate, Tensor *up); /* relu(gate) * up */
Tensor *geglu(Tape *t, Tensor *gate, Tensor *up); /* gelu(gate) * up, the exact GELU */

#endif
