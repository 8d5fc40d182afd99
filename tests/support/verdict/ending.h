/* How a test ended that no check stopped: in words. */
#ifndef TESTS_ENDING_H
#define TESTS_ENDING_H

#include "verdict/run.h"
#include "verdict/verdict.h"

typedef struct {
    Finding finding;
    bool unwritten;   /* the learner's function is still the stub */
    size_t n_printed; /* lines that are the test's own: the last may say how it ended */
} Ending;

Ending how_it_ended(Pool *pool, const TestRun *test, const VerdictInput *input);

/* " in FUNCTION, FILE:LINE" of words that tell of a crash, or NULL. */
const char *crash_place(Pool *pool, const Finding *finding);

#endif
