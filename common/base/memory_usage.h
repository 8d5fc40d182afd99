/* How much memory the program has now. */
#ifndef BASE_MEMORY_USAGE_H
#define BASE_MEMORY_USAGE_H

/* Bytes that are in memory, those of mapped files among them; from Linux, elsewhere
 * NaN. */
double memory_usage_bytes(void);

/* Gives back to the system what was freed, where the C library keeps it: it shall not
 * count as the next one's. */
void memory_usage_trim(void);

#endif
