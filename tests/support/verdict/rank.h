/* The failures of a run, weighed against each other and in order: see verdict.h. */
#ifndef TESTS_RANK_H
#define TESTS_RANK_H

#include "verdict/run.h"
#include "verdict/stages.h"
#include "verdict/verdict.h"

/* The lower, the earlier it is told; OF_OTHERS: by the numbers of other programs, that
 * much later. */
enum { NAMED = 1, TOLD = 3, OF_OTHERS = 2, NUMBERS = 7, UNWRITTEN = 9 };

typedef struct {
    const TestRun *test;
    Finding finding;
    const char *also, *note; /* behind it; NULL: nothing is */
    size_t order;            /* of the test in its file, and of its stage */
    size_t stage;
    int kind;
    size_t n_printed; /* of the test's lines, those that are its own */
    bool unwritten;
} Failure;

typedef struct {
    Pool pool;
    TestsRun run;
    Stages stages;
    Failure *failures; /* in the order in which they are told */
    size_t n;
    char **names; /* of the tests, in the order of their file */
    size_t n_names;
} Ranked;

void rank_failures(Ranked *ranked, const VerdictInput *input);
void ranked_free(Ranked *ranked);

/* All of it in one sentence; a string of the pool. */
const char *failure_sentence(Ranked *ranked, const Failure *failure);

/* Where a test is in its file; the number of tests if it is not there. */
size_t order_of(const Ranked *ranked, const char *test);

#endif
