/* Token ids from the command line. */
#ifndef CHAPTER_10_IDS_H
#define CHAPTER_10_IDS_H

#include <stddef.h>

/* Reads ids separated by blanks or commas into new memory. Ends the program at anything
 * else, at an id outside 0 .. n_vocab - 1, and when there is none; `what` names the
 * option in the message. */
int *ids_parse(const char *what, const char *text, size_t n_vocab, size_t *n);

/* --attention-mask of n ids, in new memory: 1, and 0 for padding. NULL for NULL. Ends
 * the program where it has not n numbers, or not one 1. */
int *ids_mask(const char *text, size_t n);

/* --ids without the padding of --attention-mask, which may be NULL. */
int *ids_unpadded(const char *ids, const char *mask, size_t n_vocab, size_t *n);

#endif
