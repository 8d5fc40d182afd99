/* How a test compares numbers, so that a failure can be acted on.
 *
 *     CHECK_CLOSE("y", y, expected, n, 1e-5);
 *     CHECK_CLOSE("y", y, expected, n, 1e-5,
 *                 {"the variance is divided by n - 1", wrong});
 *
 * The tolerance is relative to the largest expected number. When the numbers are wrong
 * the message names the worst index, got and expected; and when they equal what a known
 * mistake gives, it says which. Where no known mistake fits, it says what the numbers
 * have in common (explain.h), as far as the test tells what it knows (known.h). A crash
 * is reported with what it mostly means: see crash.h. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "check/crash.h"
#include "check/guarded.h"
#include "check/known.h"

/* A known mistake: in words that end "this is what you get when ...", and the numbers
 * it would give. */
typedef struct {
    const char *when;
    const double *values;
} Mistake;

/* NULL if all is close, else the message (static memory). */
const char *compare(const char *what, const float *got, const double *expected,
                    size_t n, double tolerance, const Mistake *mistakes,
                    size_t n_mistakes);

#define CHECK_CLOSE(what, got, expected, n, tolerance, ...)                            \
    do {                                                                               \
        const Mistake mistakes_[] = {{NULL, NULL}, ##__VA_ARGS__};                     \
        const char *message_ =                                                         \
            compare(what, got, expected, n, tolerance, mistakes_ + 1,                  \
                    sizeof mistakes_ / sizeof *mistakes_ - 1);                         \
        cr_assert(message_ == NULL, "%s", message_);                                   \
    } while (0)

/* The same for one number. */
#define CHECK_NUMBER(what, got, expected, tolerance, ...)                              \
    CHECK_CLOSE(what, &(float){(float)(got)}, &(double){(double)(expected)}, 1,        \
                tolerance, __VA_ARGS__)

/* "not: WHEN" for tests/support/verdict, where CHECK_BITS asks for it: the numbers
 * are wrong in another way than that listed mistake's, so that another test only
 * guesses it. compare says so itself. */
void rule_out(const char *when);

/* A condition with a message of printf's kind that says what is wrong. */
#define CHECK(condition, ...) cr_assert(condition, __VA_ARGS__)

/* n floats of NaN: outputs start as these, so that an element that was never written is
 * noticed. */
float *nan_floats(size_t n);

/* Such a NaN, or one that was made from it. */
bool is_start_nan(double x);

/* A NaN from memory of which only the lower bytes were written. */
bool is_cut_nan(double x);

/* n floats of 1.5: gradients start as these, so that one that is overwritten rather
 * than added to is noticed. check_added subtracts them again. */
float *ones_and_a_half(size_t n);

/* CHECK_CLOSE for a gradient that started as ones_and_a_half: compares got - 1.5, and
 * names "overwritten" and "nothing is added" itself, also together with each of the
 * test's mistakes. */
const char *compare_added(const char *what, const float *got, const double *expected,
                          size_t n, double tolerance, const Mistake *mistakes,
                          size_t n_mistakes);

#define CHECK_ADDED(what, got, expected, n, tolerance, ...)                            \
    do {                                                                               \
        const Mistake mistakes_[] = {{NULL, NULL}, ##__VA_ARGS__};                     \
        const char *message_ =                                                         \
            compare_added(what, got, expected, n, tolerance, mistakes_ + 1,            \
                          sizeof mistakes_ / sizeof *mistakes_ - 1);                   \
        cr_assert(message_ == NULL, "%s", message_);                                   \
    } while (0)

/* n times the same number. These arrays, and the ones below, end at a forbidden page
 * (guarded.h). */
float *equal_floats(size_t n, float value);

/* Marks an attack (make attack-NN) without tests: take it out with your first test. */
#define ATTACK_TODO(exercise) printf("the attack on " exercise " is not written yet\n")

/* Reproducible test inputs: N(0, std^2) from a seed. */
float *normal_floats(size_t n, double std, unsigned seed);

/* "dx of 600 rows of 100": the name of what is compared, until the next call. */
const char *with_size(const char *what, size_t rows, size_t dim);

/* A copy as double. */
double *as_double(const float *x, size_t n);

#endif
