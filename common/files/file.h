/* Files: whole files read, and files written so that an interruption at any moment
 * costs nothing.
 *
 * A FileWriter writes to a temporary file beside `path`; file_commit flushes it to the
 * disk and renames it over `path`. Until then the old file is untouched; a full disk, a
 * crash or a kill leaves it as it was. However the program ends, its temporary files
 * are removed; those of a killed one are removed by the next writer of the same file. A
 * link stays a link: the file that it leads to is written. A device or a pipe
 * (/dev/stdout) cannot be replaced and is written in place. Files that belong together:
 * directory.h. */
#ifndef FILES_FILE_H
#define FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* The whole file, with a NUL byte behind its `*size` bytes; "-" is standard input. Ends
 * the program with the file's name and the reason when it cannot be read. The caller
 * frees it. */
char *file_read(const char *path, size_t *size);

/* The same for a file on the disk of at most `most` bytes: a pipe would make the
 * program wait, a device never ends. */
char *file_read_regular(const char *path, size_t most, size_t *size);

/* Ends the program where the data of a file are a Git LFS pointer in its place, or, of
 * a text, UTF-16. */
void file_expect_content(const char *path, const char *data, size_t bytes, bool text);

/* Opens a file on the disk to be read, without waiting for a pipe's writer; *bytes is
 * its size. Ends the program where there is none; -1 for a directory, for which callers
 * have words of their own. */
int open_regular(const char *path, off_t *bytes);

typedef struct {
    FILE *stream;
    char *path;
    const char *temporary; /* NULL: `path` is written in place */
} FileWriter;

/* Whether `path` is a device or a pipe, which is written in place. */
bool is_device_or_pipe(const char *path);

FileWriter file_begin(const char *path);
void file_write(FileWriter *w, const void *data, size_t bytes);
void file_printf(FileWriter *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void file_commit(FileWriter *w);

/* Flushes the written bytes, so that they can be read under the temporary name. */
void file_flush(FileWriter *w);

/* The first half of file_commit, for files that change together: the new file is on the
 * disk under its temporary name, which is the caller's from now on, and the program's
 * end does not remove it any more once file_forget was called. */
void file_complete(FileWriter *w);
void file_forget(FileWriter *w);

/* Gives the new file up: the old one stays. */
void file_discard(FileWriter *w);

/* Removes the temporary files of this process that were not committed. Every exit does
 * it. */
void file_discard_unfinished(void);

/* Flushes a directory to the disk: its names, which a file's own flush leaves out. */
void sync_directory(const char *directory);

/* Flushes stdout; ends the program where that fails (a closed pipe). */
void output_flush(void);

/* "directory/name" in new memory. An empty name of a directory ends the program, here
 * and below. */
char *path_join(const char *directory, const char *name);

/* The directory of a path in new memory: "." where it names none. */
char *path_directory(const char *path);

/* Creates the directory and those above it; no error when it exists. */
void make_directory(const char *path);

/* The same, and ends the program if no file can be created in it: better before the
 * work than after. */
void expect_writable(const char *directory);

#endif
