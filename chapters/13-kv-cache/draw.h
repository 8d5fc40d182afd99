/* A picture of what a model makes of a prompt, without a page: where every head looks,
 * how much each block adds to the stream, and what can come next. */
#ifndef CHAPTER_13_DRAW_H
#define CHAPTER_13_DRAW_H

#include <stdint.h>

#include "12-generation/prompt.h"
#include "12-generation/sampling.h"

enum { DRAW_MOST_TOKENS = 128 };
#define DRAW_ALL_BLOCKS SIZE_MAX

/* Writes an SVG to `path`: of every block, or larger of that one with the tokens beside
 * its rows. What can come next has the probability that `sampling` gives it. It follows
 * the reader's theme, and prints light. Ends the program where the prompt has more than
 * DRAW_MOST_TOKENS, or the model no such block. */
void draw_prompt(const TextModel *m, const Prompt *prompt,
                 const SamplingSettings *sampling, size_t block, const char *path);

#endif
