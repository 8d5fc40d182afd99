/* Memory that ends where a page ends that nobody may touch: one element too many is a
 * crash, whatever stands behind the array otherwise. */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* count * size bytes of zeros. Under AddressSanitizer, which guards all memory, it is
 * checked_alloc. */
void *guarded_alloc(size_t count, size_t size);

void *guarded_copy(const void *memory, size_t count, size_t size);

/* Whether an address is in one of the pages that nobody may touch: for a handler of
 * signals. */
bool is_guard(const void *address);

/* From an address in such memory to its end; 0: it is in none. */
size_t guarded_bytes(const void *memory);

/* What tests give back may be either kind. */
void free_guarded(void *memory);
#define free(memory) free_guarded(memory)

#endif
