/* Exercise 16/shard: the share of each rank. */
#ifndef CHAPTER_16_SHARD_H
#define CHAPTER_16_SHARD_H

#include <stddef.h>

//> signatures
/* The first of n micro-batches that belongs to a rank: rank r has shard_batches(n, r,
 * n_ranks) up to, not including, shard_batches(n, r + 1, n_ranks). Every micro-batch
 * has one owner, and the ranks' are in order. Each rank has n / n_ranks of them, and
 * the first n % n_ranks ranks have one more. rank may be n_ranks: then it is n. */
size_t shard_batches(size_t n, size_t rank, size_t n_ranks);

/* The same for n_rows rows of different sizes: row i is the floats starts[i] ..
 * starts[i + 1] - 1 of a block (starts has n_rows + 1 entries and may begin at any
 * number). A row is not cut in two. Share out the floats as if they were micro-batches:
 * if rank r's floats would begin at float f, its rows begin with the first row that
 * starts at f or later. rank may be n_ranks: then it is n_rows. */
size_t shard_rows(const size_t *starts, size_t n_rows, size_t rank, size_t n_ranks);
//< signatures

#endif
