/* The directories that tests make in /tmp are gone when they end. */
#ifndef TESTS_REMOVE_TREE_H
#define TESTS_REMOVE_TREE_H

#include <stddef.h>

/* Removes the directory and all that is in it. Says so on stderr if it cannot. */
void remove_tree(const char *directory);

/* How many files are in it, hidden ones too: one more than expected is one that was
 * left. */
size_t count_files(const char *directory);

#endif
