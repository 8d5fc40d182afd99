/* The sanitizers' reports of a run of tests, as "test: message" lines, and how they
 * fail tests that passed. The caller frees what the functions return. */
#ifndef TESTS_REPORTS_H
#define TESTS_REPORTS_H

#include <stdbool.h>

/* LeakSanitizer's, behind each test (CHECK_LEAKS), with the lines of its addresses:
 * memory that the file under test (NN-name/exercise.c) has allocated, itself or through
 * common/, and that was never freed. Memory that the test itself has not freed does not
 * count, nor does that of its tape (arena.c). */
char *leaks_of(const char *output, const char *file, const char *root);

/* ThreadSanitizer's of a run of test_harness.c: a line for each test in which two
 * threads use one place, and one of them writes. file is the learner's, as it was
 * compiled, source its text, and variables the names of those that outlive a call. */
char *races_of(const char *output, const char *file, const char *source,
               const char *variables);

/* The output of tests, or their results (TAP), in which those of the "test: message"
 * lines fail, as if each had found it itself. */
char *let_fail(const char *output, const char *said, bool is_tap);

#endif
