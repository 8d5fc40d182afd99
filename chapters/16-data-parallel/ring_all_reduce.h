/* Exercise 16/ring_all_reduce: sums of all ranks, at all ranks, by messages to a
 * neighbour. */
#ifndef CHAPTER_16_RING_ALL_REDUCE_H
#define CHAPTER_16_RING_ALL_REDUCE_H

#include "16-data-parallel/ranks.h"

/* Every rank calls these together, each with an array x of its own [n]. Piece k of an
 * array is the floats shard_batches(n, k, P) .. shard_batches(n, k + 1, P) - 1 of it
 * (shard.h), for P = ranks->n; a piece may be empty. The ranks are a ring: a rank sends
 * to (rank + 1) % P and receives from (rank + P - 1) % P, and from and to no other, by
 * MPI's functions for messages between two ranks (MPI_Isend, MPI_Irecv, MPI_Wait ...).
 * It sends 2 (P - 1) pieces in all. When a function returns, MPI is through with
 * everything that was given to it. With one rank nothing is sent and nothing changes.
 *
 * ring_reduce_scatter: behind it, rank r has the sum of piece (r + 1) % P of all ranks,
 * in its place in x; what the other pieces of x are is left open. The sum of piece k
 * begins at rank k and goes round: ((x_k + x_k+1) + x_k+2) + ..., ranks modulo P.
 * room [the largest piece] is for what arrives.
 *
 * ring_all_gather: rank r has the right piece (r + 1) % P; behind it every rank has all
 * pieces.
 *
 * ring_all_reduce: both, so that every rank has the sums of all (Patarasuk and Yuan
 * 2009). */
//> signatures
void ring_reduce_scatter(const Ranks *ranks, float *x, size_t n, float *room);
void ring_all_gather(const Ranks *ranks, float *x, size_t n);
void ring_all_reduce(const Ranks *ranks, float *x, size_t n, float *room);
//< signatures

#endif
