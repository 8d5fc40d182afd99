/* A run of tests, written as tests and Criterion write it. */
#ifndef TESTS_WRITTEN_RUN_H
#define TESTS_WRITTEN_RUN_H

#include "verdict/text.h"

static Text run;

/* A test that fails by a check with this message. */
static inline void fails(const char *test, const char *said, const char *message) {
    text_add(
        &run,
        "[RUN ] x::%s\n%s[----] f.c:1: Assertion Failed\n[----] \n[----]   %s\n[FAIL] "
        "x::%s: (0.00s)\n",
        test, said, message, test);
}

/* A test that ends without a check. */
static inline void ends(const char *test, const char *printed) {
    text_add(&run, "[RUN ] x::%s\n%s\n[FAIL] x::%s: CRASH!\n", test, printed, test);
}

#endif
