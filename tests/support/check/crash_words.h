/* The words for a crash of the code under test, for both that notice one: the handler
 * of signals (crash.c) and the page that runs the tests
 * (tests/harness/page_memory.c). */
#ifndef TESTS_CRASH_WORDS_H
#define TESTS_CRASH_WORDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int number;        /* of the signal */
    bool overflow;     /* memory just below the stack was touched */
    uintptr_t touched; /* the address */
    bool in_guard;     /* ... which is behind an array of the test */
    bool seen_late;    /* when the test ended: outside of the learner's file */
} Crash;

enum { N_CRASHES = 5 };
extern const int crash_signals[N_CRASHES];

/* "crashed with SIGSEGV, mostly ..." to standard error. It and crash_print may be
 * called in a handler of signals. */
void crash_say(const Crash *crash);
void crash_print(const char *text);

#endif
