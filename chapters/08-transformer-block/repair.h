/* Exercise 08/repair: find what is wrong with a block from its gradients, and mend
 * it. */
#ifndef CHAPTER_08_REPAIR_H
#define CHAPTER_08_REPAIR_H

#include "08-transformer-block/patient.h"

//> signatures
/* Which fault the gradients show; WIRED_RIGHT for none. Two numbers are equal where
 * they differ by less than a hundred-thousandth of the larger. Where ONE_NORM stands
 * beside another fault, either may be named. */
Fault find_fault(const BlockGradients *g);

/* Measures, turns the wire that is found round, and measures again, until nothing is
 * found. Returns how many wires it turned; gives up after N_FAULTS. */
size_t repair(Patient *p);
//< signatures

#endif
