/* Open problems: the frame that the judges share.
 *
 * A judge is chapters/NN-name/problems/X.c. It runs the learner's
 * exercises/NN-name/problems/X.c over PROBLEM_SEEDS seeds, ends with die() where a rule
 * is broken, and claims. */
#ifndef PROGRAM_PROBLEM_H
#define PROGRAM_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "program/program.h"

enum { PROBLEM_SEEDS = 3 };

/* main of a judge; `name` is "NN/X". */
int problem_run(int argc, char **argv, const char *name,
                void (*judge)(const Settings *settings));

/* value[k] is measure(seed k); each is printed behind "seed K: " as `line` has it, a
 * format of one double. */
void problem_measure(double value[PROBLEM_SEEDS], const Settings *settings,
                     double (*measure)(uint64_t seed), const char *line);

/* Claims that a measurement is at most `bound` in every seed, or at least, and says the
 * worst. NaN is neither. */
void problem_at_most(const char *what, const double value[PROBLEM_SEEDS], double bound);
void problem_at_least(const char *what, const double value[PROBLEM_SEEDS],
                      double bound);

/* Stands in a learner's file that is as it was given: says so, once, and goes on with
 * the lines below it. */
#define PROBLEM_TODO(problem) problem_todo(problem, __FILE__, __LINE__)
void problem_todo(const char *problem, const char *file, int line);

#endif
