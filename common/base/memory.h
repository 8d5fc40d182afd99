/* Checked allocation: never returns NULL; the program ends with one clear line where
 * memory runs out.
 *
 * Sizes are multiplied with a check, so that one from a file cannot wrap. free() gives
 * every piece back. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* count * size bytes; checked_alloc clears them. */
void *checked_alloc(size_t count, size_t size);
void *checked_realloc(void *old, size_t count, size_t size);
char *checked_strdup(const char *s);

/* The same, not cleared and aligned for vectors. A piece of 2 MB or more takes whole
 * pages of 2 MB where the system has them: looking up where a page of 4 kB is takes a
 * quarter as long as reading it. */
void *checked_aligned_alloc(size_t count, size_t size);

/* a * b, or the program ends: sizes that come from files are multiplied with this. */
size_t size_mul(size_t a, size_t b);

#endif
