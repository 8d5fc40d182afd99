/* The tests of a file without Criterion's processes: test_harness [--fork] [TEST...].
 *
 * Criterion starts a process for each test, stops it, changes it and ends it when its
 * time is up: no debugger can do the same beside it (make debug-NN EX=...), and an
 * emulated processor does not get that far (make test-lite). Here the functions of
 * Criterion that a test calls are those below; its library is not linked. A test is a
 * plain call from main; with --fork, the call is made in a child, so that a test finds
 * everything as it was at the start: static variables, open files, and no threads,
 * which a fork would lose. A line
 * "[RUN ] suite::test", as Criterion has it, comes before what such a test prints. */
#define _GNU_SOURCE /* vasprintf */
#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Test() and TestSuite() leave pointers in sections of these names; few files have a
 * TestSuite(). */
extern struct criterion_test *__start_cr_tst[] CR_SECTION_START_SUFFIX("cr_tst");
extern struct criterion_test *__stop_cr_tst[] CR_SECTION_END_SUFFIX("cr_tst");
extern struct criterion_suite *__start_cr_sts[] CR_SECTION_START_SUFFIX("cr_sts")
    __attribute__((weak));
extern struct criterion_suite *__stop_cr_sts[] CR_SECTION_END_SUFFIX("cr_sts")
    __attribute__((weak));

/* tests/support/check/crash.c, where it is linked. */
void test_process_begins(void) __attribute__((weak));
void test_process_ends(void) __attribute__((weak));

static const struct criterion_test *current;
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

/* --- what the macros of Criterion call ------------------------------------ */

struct criterion_options criterion_options;

void cri_asserts_passed_incr(void) {}

int cr_asprintf(char **text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int n = vasprintf(text, format, values);
    va_end(values);
    return n;
}

void cr_asprintf_free(char *text) {
    free(text);
}

/* The message of a check that has none of its own: the expression, the first value
 * behind its number. */
char *cr_translate_assert_msg(int number, ...) {
    (void)number;
    va_list values;
    va_start(values, number);
    char *text = strdup(va_arg(values, const char *));
    va_end(values);
    return text;
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

static const struct criterion_test_extra_data *
suite_of(const struct criterion_test *test) {
    for (struct criterion_suite **s = __start_cr_sts; s < __stop_cr_sts; s++)
        if (*s && strcmp((*s)->name, test->category) == 0) return (*s)->data;
    static const struct criterion_test_extra_data nothing;
    return &nothing;
}

static void call(void (*function)(void)) {
    if (function && setjmp(end_of_test) == 0) function();
}

void criterion_internal_test_setup(void) {
    call(suite_of(current)->init);
    call(current->data->init);
}

void criterion_internal_test_main(void (*test)(void)) {
    call(test);
}

void criterion_internal_test_teardown(void) {
    call(current->data->fini);
    call(suite_of(current)->fini);
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

/* The order of the file, from plain to special, whatever the compiler has made of it;
 * some entries are NULL. */
static int line_of(const struct criterion_test *test) {
    return test ? (int)test->data->line_ : 0;
}

static int by_line(const void *a, const void *b) {
    return line_of(*(struct criterion_test *const *)a) -
           line_of(*(struct criterion_test *const *)b);
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
    qsort(__start_cr_tst, (size_t)(__stop_cr_tst - __start_cr_tst),
          sizeof *__start_cr_tst, by_line);
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
