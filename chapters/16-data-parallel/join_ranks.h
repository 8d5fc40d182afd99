/* Many processes for a program that is mostly one: chapter 18's. It needs no header of
 * MPI, and where none is installed the program is linked without this. */
#ifndef CHAPTER_16_JOIN_RANKS_H
#define CHAPTER_16_JOIN_RANKS_H

#include "11-training/process_group.h"

/* First in main: the processes of which mpirun has started this one, as a process group
 * for RunOptions, or NULL if it was started alone. Messages begin with `program`. */
ProcessGroup *join_ranks(int *argc, char ***argv, const char *program);

#endif
