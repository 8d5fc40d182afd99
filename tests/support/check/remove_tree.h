/* The directories that tests make in /tmp are gone when they end. */
#ifndef TESTS_REMOVE_TREE_H
#define TESTS_REMOVE_TREE_H

#include <stddef.h>

/* A new directory, in new memory. */
char *new_directory(void);

/* A directory for each test of a suite, by its .init and .fini: its path, and the path
 * of a file in it. scratch_enter also goes there. */
extern char scratch[], scratch_file[];
void scratch_begin(void);
void scratch_enter(void);
void scratch_end(void);

/* A file of these bytes, in the place of any that is there. */
void put_file(const char *path, const void *data, size_t n);

/* Removes the directory and all that is in it. Says so on stderr if it cannot. */
void remove_tree(const char *directory);

/* How many files are in it, hidden ones too: one more than expected is one that was
 * left. */
size_t count_files(const char *directory);

#endif
