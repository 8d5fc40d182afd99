/* A file of token ids, written as numbers with white space between them. */
#ifndef CHAPTER_09_ID_FILE_H
#define CHAPTER_09_ID_FILE_H

#include <stddef.h>

/* Gives each id of the file ("-": standard input) to `take`. `pause` is called whenever
 * all that could be read so far was given: behind a program that writes ids one by one,
 * that is after each of them. Ends the program at anything that is no id from 0 to
 * n_vocab - 1. */
void id_file_read(const char *path, size_t n_vocab, void (*take)(void *context, int id),
                  void (*pause)(void), void *context);

#endif
