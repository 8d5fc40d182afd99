/* The stages of an exercise, in the order in which they are written. Its file,
 * exercises/NN-name/X.stages, has a line for each:
 *
 *     1 | the scores | scores_causal scores_without_mask
 *
 * A number, a title, the tests. Each test of the exercise is in exactly one stage; one
 * of a name that begins with page_ is of the whole file, in none, and told last. */
#ifndef TESTS_STAGES_H
#define TESTS_STAGES_H

#include "verdict/text.h"

enum { MOST_STAGES = 12, MOST_TESTS = 100 };

typedef struct {
    const char *number, *title;
    const char *tests[MOST_TESTS];
    size_t n_tests;
} Stage;

typedef struct {
    Stage stages[MOST_STAGES];
    size_t n;
} Stages;

/* text may be NULL: no stages. */
void stages_read(Stages *stages, Pool *pool, const char *text);

/* The stage that a test is in, from 0; the number of stages if it is in none. */
size_t stage_of(const Stages *stages, const char *test);

#endif
