/* Exercise 08/repair: find the fault of a block from its gradients, and mend it. */
#ifndef CHAPTER_08_REPAIR_H
#define CHAPTER_08_REPAIR_H

#include "08-transformer-block/faulty_block.h"

//> signatures
/* The fault that the gradients show; WIRED_RIGHT for none. Two numbers are equal where
 * they differ by less than a hundred-thousandth of the larger. If ONE_NORM comes with
 * another fault, either may be named. */
Fault find_fault(const BlockGradients *g);

/* Measures, rewires the fault that it finds (faulty_block_rewire) and measures again,
 * until it finds none. Returns how many it rewired; gives up after N_FAULTS. */
size_t repair(FaultyBlock *b);
//< signatures

#endif
