/* How much memory the program has now. */
#ifndef BASE_MEMORY_USAGE_H
#define BASE_MEMORY_USAGE_H

/* Resident bytes, those of mapped files among them; on Linux, elsewhere NaN. */
double memory_usage_bytes(void);

/* Gives freed memory that the C library keeps back to the system, so that the next
 * measurement does not include it. */
void memory_usage_trim(void);

#endif
