/* How much memory the program has now. */
#ifndef BASE_RESIDENT_H
#define BASE_RESIDENT_H

/* Bytes that are in memory, those of mapped files among them; from Linux, elsewhere
 * NaN. */
double resident_bytes(void);

/* Gives back to the system what was freed, where the C library keeps it: it shall not
 * count as the next one's. */
void resident_trim(void);

#endif
