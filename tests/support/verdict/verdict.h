/* Which failure of a file's tests a learner reads first, and in which words.
 *
 * One mistake fails many tests. The failures of the earliest stage come first; in it
 * those that name the mistake, then those that describe the numbers, suspect something
 * or have words of their own, then those that only say where the numbers are wrong; of
 * each kind, those that compare with other programs' numbers come later; of one kind,
 * as the tests' file has them. Functions that are not written yet come last. A mistake
 * that a test names is only suspected where another test lists it too and its numbers
 * differ from those it would give.
 *
 * Texts go in and a text comes out: no file is read and no process started. */
#ifndef TESTS_VERDICT_H
#define TESTS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

/* The lines of a program's addresses, as addr2line -f gives them: a function's name and
 * a place, in turn; the caller frees it. NULL: unknown. */
typedef char *LinesOf(void *context, const char *addresses);

typedef struct {
    const char *output;   /* of the tests, as run.h reads it */
    const char *notes;    /* what further runs say (notes.h); NULL: none */
    const char *names;    /* of the tests, in the order of their file */
    const char *also;     /* stands behind what fails that no sanitizer reports */
    const char *stages;   /* the exercise's: see stages.h; NULL: it has none */
    const char *warnings; /* the compiler's, of the learner's file, in lines */
    const char *file;     /* the learner's, as NN-name/exercise.c */
    const char *root;     /* the project's directory: paths below it are short */
    LinesOf *lines_of;
    void *context;
    bool full; /* the list: of tests that fail with the same words the first, and all
                  that tests have printed, those that pass too */
    /* How the short report is written. */
    size_t columns;
    const char *step; /* the command that steps through a test, less the test's name */
    const char *hint; /* the command that gives a hint */
    const char *kept; /* where all that was printed is */
} VerdictInput;

/* Every failure: "test: message", below it, indented, what the test had printed. The
 * caller frees it. */
char *verdict_list(const VerdictInput *input);

/* The failure to work on first, in at most 12 lines; the caller frees it. Its test's
 * name is the first word. */
char *verdict_first(const VerdictInput *input);

#endif
