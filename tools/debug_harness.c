/* The tests of an exercise in one process, for make debug-NN EX=...: debug_harness [TEST].
 *
 * Criterion starts a process for each test, stops it, changes it and ends it when its time is up: no debugger
 * can do the same beside it. Here a test is a plain call from main, and the functions of Criterion that it
 * calls are replaced by those below. */
#include <criterion/criterion.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* Test() leaves a pointer to each test in a section of this name. */
extern struct criterion_test *__start_cr_tst[] CR_SECTION_START_SUFFIX("cr_tst");
extern struct criterion_test *__stop_cr_tst[] CR_SECTION_END_SUFFIX("cr_tst");

static const struct criterion_test *current;
static jmp_buf end_of_test;
static bool failed;

/* make debug-NN has a breakpoint here, which goes up to the check that failed. */
void test_failed(void);
void test_failed(void) {
    failed = true;
}

void criterion_send_assert(struct criterion_assert_stats *check) {
    if (check->passed) return;
    printf("%s: a check fails: %s\n", current->name, check->message);
    test_failed();
}

void criterion_abort_test(void) {
    longjmp(end_of_test, 1);
}

void criterion_continue_test(void) {}

void criterion_internal_test_setup(void) {}

void criterion_internal_test_main(void (*test)(void)) {
    if (setjmp(end_of_test) == 0) test();
}

void criterion_internal_test_teardown(void) {}

/* Runs the test of this name, or all. Returns 1 if one failed. */
int main(int argc, char **argv) {
    bool any_failed = false;
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++) {
        if (!*t || (argc > 1 && strcmp((*t)->name, argv[1]) != 0)) continue;
        current = *t;
        failed = false;
        current->test();
        printf("%s: %s\n", current->name, failed ? "failed" : "passed");
        any_failed = any_failed || failed;
    }
    return any_failed;
}
