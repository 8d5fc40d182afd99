/* The output of a run of tests (Criterion's with --verbose, CHECK_DATA and CHECK_BITS;
 * or test_harness.c's), as data: each test's result and its words. */
#ifndef TESTS_RUN_H
#define TESTS_RUN_H

#include "verdict/finding.h"

/* One comparison that was made: a checksum of what was compared, and the sizes that the
 * test knew then, "numbers=20,rows=4". */
typedef struct {
    const char *sum, *sizes, *what;
} Compared;

typedef enum { NOT_ENDED, PASSED_TEST, FAILED_TEST } Outcome;

typedef struct {
    const char *name, *message; /* of the first check that failed; NULL: none did */
    const char *said;           /* all that was said of checks, to be compared */
    const char *ended;          /* the line of its end */
    const char *sanitizer;      /* what one reported, and where in the learner's file */
    bool in_the_file;           /* the sanitizer named a line there */
    const char *stack;          /* the addresses of a crash */
    Outcome outcome;
    const char **printed; /* what no other key has, in lines */
    Finding *findings;
    Compared *compared;
    size_t n_printed, n_findings, n_compared;
} TestRun;

typedef struct {
    TestRun *tests;
    const char **ruled_out; /* "not: WHEN" */
    const char **not_made;  /* "right: WHAT WHEN" */
    size_t n_tests, n_ruled_out, n_not_made;
} TestsRun;

/* file: the learner's, as "NN-name/exercise.c"; root: the project's directory. Strings
 * are the pool's. */
TestsRun run_read(Pool *pool, const char *output, const char *file, const char *root);

/* NULL: there is none. */
const TestRun *run_test(const TestsRun *run, const char *name);
bool run_passed(const TestsRun *run, const char *name);

/* Whether a line of a stack is in the learner's file, of which tests/ has one of the
 * same name. */
bool is_in_file(const char *line, const char *file, const char *root);

#endif
