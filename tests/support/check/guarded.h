/* Memory that ends at a forbidden page: one element too many is a crash, always. */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* count * size bytes of zeros. Under AddressSanitizer, which guards all memory, it is
 * checked_alloc. */
void *guarded_alloc(size_t count, size_t size);

void *guarded_copy(const void *memory, size_t count, size_t size);

/* Whether an address is in a forbidden page: for the handler of signals. */
bool is_guard(const void *address);

/* From an address in such memory to its end; 0: it is in none. */
size_t guarded_bytes(const void *memory);

/* Frees memory of either kind. */
void free_guarded(void *memory);
#define free(memory) free_guarded(memory)

#endif
