/* Claims: an experiment's statements about its numbers are asserted, not only drawn. */
#ifndef PROGRAM_CLAIM_H
#define PROGRAM_CLAIM_H

#include <stdbool.h>

/* Prints the measured number beside the claim on stdout;
 * a claim that does not hold ends the program with EXIT_CLAIM. */
void claim(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets whether a claim that does not hold ends the program (the default) or is only
 * reported (--quick). */
void claim_set_strict(bool strict);

#endif
