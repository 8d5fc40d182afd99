/* Checksums: XXH3 with 64 bits (libxxhash), against accidental damage, not against a
 * deliberate change. Source: https://github.com/Cyan4973/xxHash. */
#ifndef FILES_CHECKSUM_H
#define FILES_CHECKSUM_H

#include <stddef.h>

typedef struct {
    struct XXH3_state_s *state;
} Checksum;

/* The bytes of a checksum as text: 16 hexadecimal digits and a NUL. */
enum { CHECKSUM_TEXT = 17 };

Checksum checksum_begin(void);
void checksum_add(Checksum *sum, const void *data, size_t bytes);
void checksum_end(Checksum *sum, char text[CHECKSUM_TEXT]);

/* The checksum of a whole file. */
void checksum_of_file(const char *path, char text[CHECKSUM_TEXT]);

#endif
