/* Exercise 10/gpt2_forward: the model, put together. Several threads may call it at
 * once. */
#ifndef CHAPTER_10_GPT2_FORWARD_H
#define CHAPTER_10_GPT2_FORWARD_H

#include "10-gpt2/gpt2.h"

//> gpt2_forward
/* Tokens [B, T] to the final hidden state [B, T, C], what the head reads; all on the
 * tape, so that the way back needs nothing more.
 *
 * - input->positions [B, T] is never NULL here, and need not be 0, 1, 2 ...
 * - model->wpe is NULL where the model has no position table; the position is then not
 *   used.
 * - Dropout at the rate config.embd_dropout acts on what enters the first block.
 * - A block's attention is its own (attention_layer), unless input->attention is given:
 *   then entry l is for block l.
 * - Where input->hidden is given, entry 0 becomes what enters the first block, and
 *   entry l + 1 the output of block l, before the final norm. */
Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input);
//< gpt2_forward

#endif
