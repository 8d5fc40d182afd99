/* Runs the tests of a file, without Criterion's library:
 *
 *   test_harness [--fork|--threads|--together] [--tap=FILE] [TEST...]
 *
 * Criterion starts a program for each test, which takes longer than most tests do; no
 * debugger can follow it, and an emulated processor does not get that far. Here the
 * functions of Criterion that a test calls are those below and in criterion_calls.h.
 * With --fork, each test is a child of its own: it finds everything as it was at the
 * start (static variables, open files, and no threads, which a fork would lose), and
 * may crash or end by exit(). Without, it is a plain call from main, for a debugger.
 * With --threads, two threads of the child call it, one behind the other; this file is
 * never compiled for ThreadSanitizer, which therefore takes them for threads that may
 * meet. With --together, what shall not end by exit() is called from main, so that a
 * test finds what the calls before it have left.
 * A test has passed when it returned: its child then leaves a number in memory that it
 * shares with this process, and each line of TAP ends with that number. It comes from
 * run_lite (tools/make/lib.sh) on standard input, where CHECK_NUMBER says so, and
 * nothing but this file knows it.
 * What is printed is what Criterion prints, as far as tests/support/verdict reads it;
 * FILE gets TAP, as from Criterion. */
#define _GNU_SOURCE /* vasprintf */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>
#if __has_include(<stdio_ext.h>)
#include <stdio_ext.h>
#endif

#include "base/clock.h"
#include "base/error.h"
#include "criterion_calls.h"

/* tests/support/check/crash.c, where it is linked. */
void test_process_begins(void) __attribute__((weak));
void test_process_ends(void) __attribute__((weak));

static jmp_buf end_of_test;
static bool failed;
static bool skipped;

static bool forks, in_threads, together;
static bool out_of_time; /* what ran into a limit of the shell (ulimit -t) would do so
                            in every test */

enum { NUMBER_BYTES = 16 };

/* How a test's process has come to its end. */
typedef struct {
    char number[NUMBER_BYTES + 1];
    pid_t process;
} Returned;

static char number[NUMBER_BYTES + 1] = "none";
static Returned *returned;

/* Before the constructors of the file under test. */
__attribute__((constructor(101))) static void read_number(void) {
    if (!getenv("CHECK_NUMBER")) return;
    unsetenv("CHECK_NUMBER");
    bool is_whole = read(STDIN_FILENO, number, NUMBER_BYTES) == NUMBER_BYTES;
    int nothing = open("/dev/null", O_RDONLY);
    if (!is_whole || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(2);
    close(nothing);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0); /* no program that a test starts looks into this one */
#endif
}

static void say_returned(void) {
    if (getpid() == returned->process) memcpy(returned->number, number, sizeof number);
}

/* How a child says what its test came to; a test that shall end by exit() expects other
 * codes. */
enum { PASSED = 0, FAILED = 98, SKIPPED = 99, MOST_SECONDS = 300 };

/* Ends a line that the test has not ended, because the output is read by lines. Where
 * the C library cannot tell of one, the next message is lost. */
static void end_line(void) {
#if __has_include(<stdio_ext.h>)
    if (__fpending(stdout)) putchar('\n');
#endif
}

/* make debug-NN has a breakpoint here, which goes up to the check that failed. */
void test_failed(void);
void test_failed(void) {
    failed = true;
}

void criterion_send_assert(struct criterion_assert_stats *check) {
    if (check->passed) return;
    end_line();
    print_failure(stdout, check->file, check->line, check->message);
    test_failed();
}

void criterion_abort_test(void) {
    if (!failed) {
        print_failure(stdout, current->data->file_, current->data->line_,
                      "the test was ended, and no check had failed");
        test_failed();
    }
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

static atomic_bool first_is_done;

static void *run_first(void *result) {
    *(int *)result = run_here();
    first_is_done = true;
    return NULL;
}

static void *run_second(void *result) {
    while (!first_is_done) usleep(100);
    *(int *)result = run_here();
    return NULL;
}

static int run_in_threads(void) {
    int results[2] = {FAILED, FAILED};
    pthread_t first, second;
    pthread_create(&first, NULL, run_first, &results[0]);
    pthread_create(&second, NULL, run_second, &results[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return results[0] != PASSED ? results[0] : results[1];
}

static int n_waited; /* tests that did nothing until their time was up */

/* As many seconds as the test says, where an exercise is checked, whose computing
 * tests/support/check/crash.c limits; elsewhere the processor may be emulated. Where
 * two tests have waited for ever, the others will. */
static unsigned most_seconds(void) {
    if (!getenv("CHECK_SECONDS")) return MOST_SECONDS;
    if (n_waited >= 2) return 1;
    double own = current->data->timeout, suite = suite_of(current)->timeout;
    return own > 0 ? (unsigned)own : suite > 0 ? (unsigned)suite : MOST_SECONDS;
}

static void run_child(void) {
    alarm(most_seconds()); /* against what waits for itself */
    returned->process = getpid();
    if (current->data->exit_code) atexit(say_returned);
    if (test_process_begins) test_process_begins();
    int result = in_threads ? run_in_threads() : run_here();
    end_line();
    fflush(NULL);
    if (test_process_ends) test_process_ends();
    if (!current->data->exit_code) say_returned();
    _exit(result);
}

/* What tests/support/check/crash.c has not told, because its process was not asked. */
static void say_ending(int status) {
    static const struct {
        int number;
        const char *words;
    } signals[] = {{SIGKILL, "SIGKILL: is memory used up?"},
                   {SIGINT, "SIGINT: by raise() or kill()?"},
                   {SIGTERM, "SIGTERM: by raise() or kill()?"},
                   {SIGXFSZ, "SIGXFSZ, having printed 20 MB: an endless loop?"}};
    const char *words = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        words = "code 0, before the test came to its end";
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (WIFSIGNALED(status) && WTERMSIG(status) == signals[i].number)
            words = signals[i].words;
    /* The last line is cut where printing was stopped. */
    bool cut = WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ;
    if (words) printf("%sended the program with %s\n", cut ? "\n" : "", words);
}

/* The result of a test from its process's exit status; *how is Criterion's word for
 * it. */
static int result_of(int status, const char **how) {
    int expected = current->data->exit_code;
    if (WIFEXITED(status)) {
        int code = WEXITSTATUS(status);
        bool at_its_end = strcmp(returned->number, number) == 0;
        if (at_its_end && expected && code == expected) return PASSED;
        if (at_its_end && !expected) return code;
    } else {
        int ended_by = WTERMSIG(status);
        /* What is printed behind 20 MB has no room either. */
        out_of_time = ended_by == SIGXCPU || ended_by == SIGKILL || ended_by == SIGXFSZ;
        *how = ended_by == SIGALRM ? ": Timed out" : ": CRASH!";
        n_waited += ended_by == SIGALRM;
    }
    say_ending(status);
    printf("[----] %s: expected exit code %d, ended with wait status %#x\n",
           current->name, expected, (unsigned)status);
    return FAILED;
}

static int run_in_child(const char **how) {
    int status;
    fflush(NULL);
    *returned = (Returned){.process = 0};
    pid_t child = fork();
    if (child < 0) {
        print_failure(stdout, current->data->file_, current->data->line_,
                      "the test has not run: no process can be forked here");
        return FAILED;
    }
    if (child == 0) run_child();
    waitpid(child, &status, 0);
    return result_of(status, how);
}

/* Runs the current test; returns whether it failed. */
static bool run(FILE *tap) {
    const char *group = current->category, *name = current->name, *how = "";
    printf("[RUN ] %s::%s\n", group, name);
    double began = clock_seconds();
    int result = forks ? run_in_child(&how) : run_here();
    double seconds = clock_seconds() - began;
    bool passed = result != FAILED;
    printf("[%s] %s::%s%s: (%.2fs)\n",
           result == SKIPPED ? "SKIP"
           : passed          ? "PASS"
                             : "FAIL",
           group, name, how, seconds);
    if (tap)
        fprintf(tap, "%s - %s::%s %s (%.2fs) %s\n", passed ? "ok" : "not ok", group,
                name, result == SKIPPED ? "# SKIP" : "", seconds, number);
    return !passed;
}

static bool is_among(const char *name, char **names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/* Runs the tests of these names, or all until one runs out of time; in TAP, their
 * number comes last. Returns 1 if one failed, 2 if there was none to run. */
int main(int argc, char **argv) {
    FILE *tap = NULL;
    char **only = argv + 1;
    for (; *only && strncmp(*only, "--", 2) == 0; only++) {
        if (strcmp(*only, "--fork") == 0) {
            forks = true;
        } else if (strcmp(*only, "--threads") == 0) {
            forks = in_threads = true;
        } else if (strcmp(*only, "--together") == 0) {
            together = true;
        } else if (strncmp(*only, "--tap=", 6) != 0 || !(tap = fopen(*only + 6, "w"))) {
            fprintf(stderr, "%s: no such option, or it cannot be written\n", *only);
            return 2;
        }
    }
    (void)argc;
    returned = mmap(NULL, sizeof *returned, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (returned == MAP_FAILED) die("no memory to share with the tests' processes");
    setvbuf(stdout, NULL, _IOLBF, 0);
    sort_tests();
    size_t n = 0, n_failed = 0;
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst && !out_of_time;
         t++) {
        if (!*t || (*only && !is_among((*t)->name, only))) continue;
        if (together && (*t)->data->exit_code) continue;
        current = *t;
        n_failed += run(tap);
        n++;
    }
    if (tap) fprintf(tap, "1..%zu %s\n", n, number);
    if (n == 0) {
        fprintf(stderr, "%s: no test ran: there is none%s%s\n", argv[0],
                *only ? " called " : "", *only ? *only : "");
        return 2;
    }
    return n_failed > 0 || (tap && fclose(tap) != 0);
}
