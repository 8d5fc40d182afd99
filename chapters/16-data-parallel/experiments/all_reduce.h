/* Other ways to add an array over all ranks, and the chapter's without its buckets: to
 * compare. */
#ifndef CHAPTER_16_ALL_REDUCE_H
#define CHAPTER_16_ALL_REDUCE_H

#include "16-data-parallel/data_parallel.h"

/* To rank 0 in pairs, level by level, and back: log2 of the ranks messages of all
 * numbers, twice. */
AllReduce all_reduce_to_root;

/* Sends all pieces to their owners at once, which add them along the tree and send the
 * sums to all. */
AllReduce all_reduce_owners;

/* MPI_Iallreduce, which chooses by the size of the message and the number of ranks. */
AllReduce all_reduce_mpi;

#endif
