/* Your attack on 16/ring_all_reduce: tests that right code passes and wrong code does
 * not. The contract is in chapters/16-data-parallel/ring_all_reduce.h; how a test runs
 * several ranks, in tests/support/check/pretend_mpi.h. Run it: make attack-16
 * EX=ring_all_reduce */
#include "16-data-parallel/ring_all_reduce.h"

#include "check/pretend_mpi.h"

static void each_rank(const Ranks *ranks, void *context) {
    float(*x)[2] = context, room;
    ring_all_reduce(ranks, x[ranks->rank], 2, &room);
}

Test(attack, two_ranks) {
    ATTACK_TODO("16/ring_all_reduce");
    float x[2][2] = {{1, 2}, {10, 20}};
    pretend_ranks(2, each_rank, x);
    /* What does pretend_ranks return, and what is in x now? And with three ranks, of
     * more numbers, and by the two halves of the exercise? */
}
