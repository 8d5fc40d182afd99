/* How a test ends that does not come back from the code under test: a crash says which
 * signal and what that mostly means, and exit() is no way to pass. The output of
 * tools/learner/exercise.sh is made from these lines. */
#ifndef TESTS_CRASH_H
#define TESTS_CRASH_H

/* Says what a crash from here on most likely comes from: crash_means("dx is written to
 * though it is NULL"). The text must stay valid; NULL takes it back. */
void crash_means(const char *cause);

/* The begin and the end of a process that is one test's, where it is not Criterion that
 * has started it: what it may print and compute is limited, and what it leaves behind
 * is told (CHECK_SECONDS, CHECK_LEAKS). */
void test_process_begins(void);
void test_process_ends(void);

/* Takes the place of exit, _exit, _Exit and quick_exit in the file under test (see
 * link_variant in tools/make/lib.sh): a test does not pass because the program has
 * ended. */
_Noreturn void exit_in_test(int code);

#endif
