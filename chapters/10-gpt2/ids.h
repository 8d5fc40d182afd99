/* Token ids from the command line. */
#ifndef CHAPTER_10_IDS_H
#define CHAPTER_10_IDS_H

#include <stddef.h>

/* Reads ids separated by blanks or commas into new memory. Ends the program at anything
 * else, at an id outside 0 .. n_vocab - 1, and when there is none; `what` names the
 * option in the message. */
int *ids_parse(const char *what, const char *text, size_t n_vocab, size_t *n);

#endif
