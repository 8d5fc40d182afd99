/* Open problem 05/no_connection (***): 32 layers that learn with neither connections
 * nor norms */
#ifndef CHAPTER_05_NO_CONNECTION_H
#define CHAPTER_05_NO_CONNECTION_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* Changes the weights and biases of a new stack of 32 layers before its first step, and
 * nothing else. Its joins drop the stream: layer l is F_l(x) alone, linear, ReLU,
 * linear. */
void no_connection(Stack *s);

#endif
