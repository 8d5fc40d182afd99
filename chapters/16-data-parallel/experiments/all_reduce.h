/* Other ways to add an array over all ranks, and the chapter's without its buckets: to
 * compare. */
#ifndef CHAPTER_16_ALL_REDUCE_H
#define CHAPTER_16_ALL_REDUCE_H

#include "16-data-parallel/ranks.h"

/* x [n] of all ranks, added up, at all ranks; room [n] is for what arrives. */
typedef void AllReduce(const Ranks *ranks, float *x, size_t n, float *room);

/* Each rank owns a piece; pieces go round, every rank adds its own numbers and hands
 * the sum on; then the sums go round (Patarasuk & Yuan 2009). Each sum begins at
 * another rank. */
AllReduce all_reduce_ring;

/* To rank 0 in pairs, level by level, and back: log2 of the ranks messages of all
 * numbers, twice. */
AllReduce all_reduce_to_root;

/* All pieces to their owners at once, who add them along the tree; sums to all. */
AllReduce all_reduce_owners;

/* MPI_Iallreduce, which chooses by the size of the message and the number of ranks. */
AllReduce all_reduce_mpi;

#endif
