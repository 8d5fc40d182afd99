/* Files: whole files read, and files written so that an interruption at any moment costs nothing.
 *
 * A FileWriter writes to "path.tmp"; file_commit flushes it to the disk and renames it over `path`. Until
 * then the old file is untouched; a full disk, a crash or a kill leaves it as it was. A link stays a
 * link: the file that it leads to is written. A device or a pipe (/dev/stdout) cannot be replaced and is
 * written in place. */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The whole file, with a NUL byte behind its `*size` bytes; "-" is standard input. Ends the program with the
 * file's name and the reason when it cannot be read. The caller frees it. */
char *file_read(const char *path, size_t *size);

typedef struct {
    FILE *stream;
    char *path;
    char *temporary;
    bool in_place; /* `temporary` is `path`, and is neither renamed nor removed */
} FileWriter;

FileWriter file_begin(const char *path);
void file_write(FileWriter *w, const void *data, size_t bytes);
void file_printf(FileWriter *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void file_commit(FileWriter *w);

/* What was printed goes out now. Ends the program when it cannot: a text for nobody need not be finished. */
void output_flush(void);

/* "directory/name" in new memory. An empty name of a directory ends the program, here and below. */
char *path_join(const char *directory, const char *name);

/* Creates the directory and those above it; no error when it exists. */
void make_directory(const char *path);

#endif
