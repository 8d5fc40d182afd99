/* The tests of a file without Criterion's processes: test_harness [--fork] [TEST...].
 *
 * Criterion starts a process for each test, stops it, changes it and ends it when its
 * time is up: no debugger can do the same beside it (make debug-NN EX=...), and an
 * emulated processor does not get that far (make test-lite). Here the functions of
 * Criterion that a test calls are those below and in criterion_calls.h. A test is a
 * plain call from main; with --fork, the call is made in a child, so that a test finds
 * everything as it was at the start: static variables, open files, and no threads,
 * which a fork would lose. A line
 * "[RUN ] suite::test", as Criterion has it, comes before what such a test prints. */
#define _GNU_SOURCE /* vasprintf */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion_calls.h"

/* tests/support/check/crash.c, where it is linked. */
void test_process_begins(void) __attribute__((weak));
void test_process_ends(void) __attribute__((weak));

static jmp_buf end_of_test;
static bool failed;
static bool skipped;

static bool out_of_time; /* what ran into a limit of the shell (ulimit -t) would do so
                            in every test */

/* How a child says what its test came to; a test that shall end by exit() expects other
 * codes. */
enum { PASSED = 0, FAILED = 98, SKIPPED = 99, MOST_SECONDS = 300 };

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

void criterion_skip_test(const char *why, ...) {
    va_list values;
    va_start(values, why);
    printf("SKIPPED: ");
    vprintf(why, values);
    printf("\n");
    va_end(values);
    skipped = true;
    longjmp(end_of_test, 1);
}

static void call(void (*function)(void)) {
    if (function && setjmp(end_of_test) == 0) function();
}

/* --- the run -------------------------------------------------------------- */

static int run_here(void) {
    failed = skipped = false;
    current->test();
    return failed ? FAILED : skipped ? SKIPPED : PASSED;
}

static int run_in_child(void) {
    int status, expected = current->data->exit_code;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        printf("SKIPPED: no process can be forked here\n");
        return SKIPPED;
    }
    if (child == 0) {
        alarm(MOST_SECONDS); /* against an endless loop */
        if (test_process_begins) test_process_begins();
        int result = run_here();
        fflush(NULL);
        if (test_process_ends) test_process_ends();
        _exit(result);
    }
    waitpid(child, &status, 0);
    out_of_time = WIFSIGNALED(status) &&
                  (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    if (expected && WIFEXITED(status) && WEXITSTATUS(status) == expected) return PASSED;
    if (!expected && WIFEXITED(status) &&
        (WEXITSTATUS(status) == PASSED || WEXITSTATUS(status) == SKIPPED))
        return WEXITSTATUS(status);
    printf("%s: expected exit code %d, ended with wait status %#x\n", current->name,
           expected, (unsigned)status);
    return FAILED;
}

static bool is_among(const char *name, char **names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/* Runs the tests of these names, or all until one runs out of time; prints TAP, the
 * number of tests last. Returns 1 if one failed. */
int main(int argc, char **argv) {
    bool forks = argc > 1 && strcmp(argv[1], "--fork") == 0, any_failed = false;
    char **only = argv + (forks ? 2 : 1);
    size_t n = 0;
    sort_tests();
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst && !out_of_time;
         t++) {
        if (!*t || (*only && !is_among((*t)->name, only))) continue;
        current = *t;
        if (forks) printf("[RUN ] %s::%s\n", current->category, current->name);
        int result = forks ? run_in_child() : run_here();
        printf("%s - %s::%s%s\n", result == FAILED ? "not ok" : "ok", current->category,
               current->name, result == SKIPPED ? " # SKIP" : "");
        any_failed = any_failed || result == FAILED;
        n++;
    }
    printf("1..%zu\n", n);
    return any_failed;
}
