/* Exercise 05/dropout (Srivastava et al. 2014). Several threads may call it at once. */
#ifndef CHAPTER_05_DROPOUT_H
#define CHAPTER_05_DROPOUT_H

#include <stddef.h>

#include "math/random.h"

//> kernels
/* out[i] = x[i] / (1 - p) where element i is kept, else 0, for 0 <= p < 1. Element i is
 * dropped when number random->next + i of `random`, uniform in [0, 1) as random_floats
 * gives it (math/random.h), is less than p. `random` itself stays as it is. out may be
 * x. */
void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random);

/* dx += dout / (1 - p) where element i was kept. The same `random` gives the same
 * mask. */
void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random);
//< kernels

#endif
