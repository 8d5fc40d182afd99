/* The directories that tests make in /tmp are gone when they end. */
#ifndef TESTS_REMOVE_TREE_H
#define TESTS_REMOVE_TREE_H

/* Removes the directory and all that is in it. Says so on stderr if it cannot. */
void remove_tree(const char *directory);

#endif
