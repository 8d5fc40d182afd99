/* One exercise's result as JUnit XML. */
#ifndef TESTS_JUNIT_H
#define TESTS_JUNIT_H

typedef struct {
    const char *exercise; /* NN-name/exercise */
    const char *names;    /* of its tests: every one is in the result */
    const char *tap;      /* what ran: "" where nothing did */
    const char *said; /* the failures, as verdict_list writes them; or, where the file
                         was not built, what the compiler said */
    const char *why;  /* what is the matter with tests that have no line of their own */
} JunitInput;

/* The caller frees it. */
char *junit_result(const JunitInput *input);

#endif
