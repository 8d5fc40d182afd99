/* Exercise 06/word_positions: where each word of a batch stands. */
#ifndef CHAPTER_06_WORD_POSITIONS_H
#define CHAPTER_06_WORD_POSITIONS_H

#include <stddef.h>

//> word_positions
/* Fills ids [batch, length] with the position of each token in its own sentence: how
 * many words of that sentence come before it. A batch may hold only the next piece of
 * each sentence: then first[b] words of sentence b were in earlier pieces (first NULL:
 * none in any). Padding, the token `padding`, is no word; it may stand before, behind
 * and between the words, and its own id is 0. tokens [batch, length]; NULL: all are
 * words. */
void word_positions(int *ids, const int *tokens, const size_t *first, size_t batch,
                    size_t length, int padding);
//< word_positions

#endif
