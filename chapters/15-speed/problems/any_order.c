/* The judge of open problem 15/any_order. */
#include "15-speed/problems/any_order.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "program/problem.h"
#include "math/random.h"

enum { PAIRS = 3000, SMALL = 2000, NUMBERS = 2 * PAIRS + SMALL, ORDERS = 20 };

/* Large numbers that come with both signs, so that they leave nothing, and small ones,
 * multiples of 2^-20 whose sum is known: the exact sum of all. */
static double draw(float *x, Random *r) {
    int64_t sum = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        x[2 * i] = ldexpf((float)random_normal(r), (int)random_below(r, 40));
        x[2 * i + 1] = -x[2 * i];
    }
    for (size_t i = 2 * PAIRS; i < NUMBERS; i++) {
        int32_t small = (int32_t)random_below(r, 1 << 20);
        sum += small;
        x[i] = ldexpf((float)small, -20);
    }
    return ldexp((double)sum, -20);
}

static void shuffle(float *x, Random *r) {
    for (size_t i = NUMBERS - 1; i > 0; i--) {
        size_t j = random_below(r, (uint32_t)i + 1);
        float other = x[j];
        x[j] = x[i];
        x[i] = other;
    }
}

/* Two sums at a time, the second of the negative numbers. */
static double sum_of(const float *x) {
    AnyOrder one = {{0}}, two = {{0}};
    for (size_t i = 0; i < NUMBERS; i++) {
        any_order_add(&one, x[i]);
        any_order_add(&two, -x[NUMBERS - 1 - i]);
    }
    double sum = any_order_sum(&one);
    if (any_order_sum(&one) != sum)
        die("15/any_order: the same sum is asked for twice and is another");
    if (fabs(sum + any_order_sum(&two)) > 1e-3 * fabs(sum))
        die("15/any_order: two sums at a time are mixed up: keep everything in "
            "AnyOrder");
    return sum;
}

typedef struct {
    double different, error;
} Verdict;

static Verdict try_orders(uint64_t seed) {
    Random r = random_stream(seed, 1);
    float *x = checked_alloc(NUMBERS, sizeof *x);
    double exact = draw(x, &r), sums[ORDERS];
    Verdict v = {0, 0};
    for (size_t o = 0; o < ORDERS; o++) {
        shuffle(x, &r);
        sums[o] = sum_of(x);
        bool seen = false;
        for (size_t p = 0; p < o; p++) seen = seen || sums[p] == sums[o];
        v.different += !seen;
        v.error = fmax(v.error, fabs(sums[o] / exact - 1));
    }
    free(x);
    return v;
}

static double different_results(uint64_t seed) {
    return try_orders(seed).different;
}
static double largest_error(uint64_t seed) {
    return try_orders(seed).error;
}

static void judge(const Settings *settings) {
    double different[PROBLEM_SEEDS], error[PROBLEM_SEEDS];
    problem_measure(different, settings, different_results,
                    "20 orders give %.0f different results");
    problem_measure(error, settings, largest_error, "relative error %.2g");
    problem_at_most("different results", different, 1);
    problem_at_most("relative error", error, 1e-9);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "15/any_order", judge);
}
