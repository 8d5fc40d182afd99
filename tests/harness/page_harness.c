/* One test of an exercise in a page: harness list prints the tests, with the exit code
 * that each shall end with; harness TEST runs one.
 *
 * check-worker.js runs each in an instance of its own, and says with what it ended.
 * What is printed here is what Criterion prints, as far as tests/support/verdict reads
 * it. */
#define _GNU_SOURCE /* vasprintf */
#include <stdbool.h>
#include <unistd.h>

#include "criterion_calls.h"

/* As check-worker.js knows them; a test that shall end by exit() expects others. */
enum { PASSED = 0, CRASHED = 97, FAILED = 98, SKIPPED = 99 };

static bool failed;

bool null_was_written(void); /* page_memory.c */

static _Noreturn void end_test(int code) {
    fflush(NULL);
    _exit(null_was_written() ? CRASHED : code);
}

static void call(void (*function)(void)) {
    if (function) function();
}

void criterion_send_assert(struct criterion_assert_stats *check) {
    if (check->passed) return;
    fflush(stdout);
    print_failure(stderr, check->file, check->line, check->message);
    failed = true;
}

void criterion_abort_test(void) {
    end_test(failed ? FAILED : PASSED);
}

void criterion_skip_test(const char *why, ...) {
    (void)why;
    end_test(SKIPPED);
}

static void list(void) {
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++)
        if (*t)
            printf("%s %s %d\n", (*t)->category, (*t)->name,
                   (int)(*t)->data->exit_code);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    sort_tests();
    if (argc > 1 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++) {
        if (!*t || argc < 2 || strcmp((*t)->name, argv[1]) != 0) continue;
        current = *t;
        current->test();
        end_test(failed ? FAILED : PASSED);
    }
    return 2;
}
