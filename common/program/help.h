/* --help: the options of a program or of one of its commands, in 80 columns. */
#ifndef PROGRAM_HELP_H
#define PROGRAM_HELP_H

#include "program/program.h"

enum { MAX_OPTIONS = 64 };

/* The options that may stand on the command line: those of a program or of its command,
 * then the shared ones, of which one that has the name of another is left out. */
typedef struct {
    const Option *items[MAX_OPTIONS];
    size_t n;
} OptionList;

/* Prints the help of the command, or of the program where it is NULL; of a program that
 * does nothing without a command, a page of all of them. */
void help_print(const Program *program, const Command *command,
                const OptionList *options);

#endif
