/* Exercise 10/gpt2_forward: the model, put together. */
#ifndef CHAPTER_10_GPT2_FORWARD_H
#define CHAPTER_10_GPT2_FORWARD_H

#include "10-gpt2/gpt2.h"

//> gpt2_forward
/* Tokens [B, T] to the final hidden state [B, T, C], what the head reads:
 *
 *     x = dropout(wte[tokens] + wpe[positions])
 *     x = block_l(x)   for each block, with its own attention or the one in `input`
 *     return ln_f(x)
 *
 * Without a position table (wpe NULL) the tokens' rows alone are dropped out.
 * `positions` [B, T] is never NULL here. Where input->hidden is given, entry 0 becomes
 * the embeddings (after dropout) and entry l + 1 the output of block l. */
Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input);
//< gpt2_forward

#endif
