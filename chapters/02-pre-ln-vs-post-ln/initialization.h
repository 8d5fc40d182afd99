/* Experiments on networks that have not been trained: how large gradients and the stream are, layer by layer.
 */
#ifndef CHAPTER_02_INITIALIZATION_H
#define CHAPTER_02_INITIALIZATION_H

#include "program.h"

/* The last sublayer's gradient against depth: 02-init-gradient.csv. */
void init_gradient(const Settings *settings);

/* The gradient of every layer, averaged over one input, a batch or thousands of inputs before its norm is
 * taken: 02-expected-gradient.csv. */
void expected_gradient(const Settings *settings);

/* |x_l|^2 / d behind every layer: 02-stream-size.csv. */
void stream_size(const Settings *settings);

/* The first and the last of them as short tables. */
void print_initialization(const Settings *settings);

#endif
