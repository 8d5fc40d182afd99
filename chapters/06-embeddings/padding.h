/* Sentences of different lengths in one batch. */
#ifndef CHAPTER_06_PADDING_H
#define CHAPTER_06_PADDING_H

#include <stddef.h>

/* Fills tokens [batch, places]: row b gets the next lengths[b] of `words`, in which
 * sentence follows upon sentence, and then `padding`. A sentence that does not fit ends
 * the program with its row. */
void pad_rows(int *tokens, const int *words, const size_t *lengths, size_t batch,
              size_t places, int padding);

#endif
