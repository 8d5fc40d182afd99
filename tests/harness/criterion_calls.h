/* The functions that Criterion's macros call, where its library is not linked, and the
 * list of the tests. How a test fails and ends is left to the harness, which has
 * criterion_send_assert, criterion_abort_test and criterion_skip_test. Included once in
 * a program, with vasprintf declared. */
#ifndef TESTS_CRITERION_CALLS_H
#define TESTS_CRITERION_CALLS_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Test() and TestSuite() leave pointers in sections of these names; few files have a
 * TestSuite(). */
extern struct criterion_test *__start_cr_tst[] CR_SECTION_START_SUFFIX("cr_tst");
extern struct criterion_test *__stop_cr_tst[] CR_SECTION_END_SUFFIX("cr_tst");
extern struct criterion_suite *__start_cr_sts[] CR_SECTION_START_SUFFIX("cr_sts")
    __attribute__((weak));
extern struct criterion_suite *__stop_cr_sts[] CR_SECTION_END_SUFFIX("cr_sts")
    __attribute__((weak));

static const struct criterion_test *current;

/* Calls a function of the test, which may end it. */
static void call(void (*function)(void));

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

/* A failed check as Criterion prints it, which tests/support/verdict reads: each line
 * of its message behind a mark. */
static void print_failure(FILE *file, const char *where, unsigned line,
                          const char *message) {
    fprintf(file, "[----] %s:%u: Assertion Failed\n[----]  \n", where, line);
    for (const char *at = message; *at;) {
        size_t n = strcspn(at, "\n");
        fprintf(file, "[----]   %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
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

void criterion_continue_test(void) {}

static const struct criterion_test_extra_data *
suite_of(const struct criterion_test *test) {
    for (struct criterion_suite **s = __start_cr_sts; s < __stop_cr_sts; s++)
        if (*s && strcmp((*s)->name, test->category) == 0) return (*s)->data;
    static const struct criterion_test_extra_data nothing;
    return &nothing;
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

/* The order of the tests in their file, from plain to special, which the compiler may
 * change; some entries are NULL. */
static int line_of(const struct criterion_test *test) {
    return test ? (int)test->data->line_ : 0;
}

static int by_line(const void *a, const void *b) {
    return line_of(*(struct criterion_test *const *)a) -
           line_of(*(struct criterion_test *const *)b);
}

static void sort_tests(void) {
    qsort(__start_cr_tst, (size_t)(__stop_cr_tst - __start_cr_tst),
          sizeof *__start_cr_tst, by_line);
}

#endif
