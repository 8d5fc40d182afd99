/* Files mapped into memory for reading.
 *
 * A file that is cut short while it is mapped (another program writes it in place)
 * makes the system send SIGBUS at the next read behind its new end. That ends the
 * program with one line that names the file. Replacing the file by a rename, as
 * file_commit does, disturbs nothing. */
#ifndef FILES_MAPPED_FILE_H
#define FILES_MAPPED_FILE_H

#include <stddef.h>

/* The whole file, or the program ends: `what` names the expected file in the message,
 * "a safetensors file". */
void *file_map(const char *path, const char *what, size_t *bytes);
/* These bytes of a mapped file may leave memory, as far as they are whole pages:
 * reading them again brings them back. Other memory is left alone. */
void file_map_release(const void *from, size_t bytes);

void file_unmap(void *map, size_t bytes);

#endif
