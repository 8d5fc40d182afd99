/* Words in lines of a terminal. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>
#include <stdio.h>

/* Prints a blank and a word, for each of the words, behind what has been printed up to
 * column `at`, in lines of at most 79 columns, of which further ones begin at column
 * `indent`, which is at least 1. Returns the column that it ends at. */
int print_words(FILE *to, int at, int indent, const char *words);

/* The columns of the terminal in which a person reads this stream. 0 where none does:
 * it is no terminal, or one without columns, which mpirun puts between a process and
 * whatever reads it. */
size_t screen_columns(FILE *to);

/* Words as above on a screen; elsewhere a file or a program reads them, and they stay
 * one line. */
int print_message(FILE *to, int at, int indent, const char *words);

#endif
