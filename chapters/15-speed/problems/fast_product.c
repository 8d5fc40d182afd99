/* The judge of open problem 15/fast_product. */
#include "15-speed/problems/fast_product.h"

#include <stdio.h>
#include <string.h>

#include "15-speed/experiments/timing.h"
#include "15-speed/product.h"
#include "base/clock.h"
#include "base/error.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "math/random.h"
#include "program/problem.h"

/* The best rungs of one thread that take B as it is; prepared panels are another
 * problem. */
enum { FIRST = EDGES, LAST = BLOCKS, YOURS = LAST - FIRST + 1, ALL };
enum { TURNS = 28 };

/* All rungs give the same bytes, so that one of them can say which are right. */
static void expect_bytes(size_t m, size_t n, size_t k) {
    Operands o = operands_create(m, n, k), right = operands_create(m, n, k);
    fast_product(o.c, o.a, o.b, m, n, k);
    ladder[ORDER].run(right.c, o.a, o.b, m, n, k);
    for (size_t i = 0; i < m * n; i++) {
        if (memcmp(o.c + i, right.c + i, sizeof *o.c) != 0)
            die("15/fast_product: C[%zu, %zu] of %zu x %zu x %zu is %a, expected %a: "
                "the order of k, one rounding for each product, from what C holds",
                i / n, i % n, m, n, k, (double)o.c[i], (double)right.c[i]);
    }
    operands_free(&o);
    operands_free(&right);
}

/* Adds the seconds of the quickest turns. */
static void take_turns(double seconds[ALL], size_t m, size_t n, size_t k) {
    Contender all[ALL] = {[YOURS] = {.run = fast_product}};
    for (size_t i = FIRST; i <= LAST; i++) all[i - FIRST].run = ladder[i].run;
    Operands o = operands_create(m, n, k);
    timing_take_turns(all, ALL, &o, 1, TURNS);
    for (size_t i = 0; i < ALL; i++) seconds[i] += all[i].seconds;
    operands_free(&o);
}

/* Seconds of the processor and of this thread are the same where no other works. */
static void expect_one_thread(void) {
    enum { CALLS = 60, TICK_MS = 30 };
    Operands o = operands_create(120, 1024, 768);
    double thread = clock_thread_seconds(), all = clock_processor_seconds();
    for (size_t i = 0; i < CALLS; i++) fast_product(o.c, o.a, o.b, o.m, o.n, o.k);
    thread = clock_thread_seconds() - thread;
    all = clock_processor_seconds() - all;
    if (all > 1.2 * thread + 1e-3 * TICK_MS)
        die("15/fast_product: %.2f seconds of the processor in %.2f of one thread, "
            "expected no other thread",
            all, thread);
    operands_free(&o);
}

static double of_the_best(uint64_t seed) {
    Random r = random_stream(seed, 1);
    size_t m = 100 + random_below(&r, 100), n = 900 + random_below(&r, 200),
           k = 600 + random_below(&r, 200);
    double seconds[ALL] = {0}, best;
    expect_bytes(m, n, k);
    expect_bytes((size_t)(1 + seed % 5), (size_t)(1 + seed % 40), 3);
    product_choose("loops"); /* calls of matmul get three loops */
    take_turns(seconds, m, n, k);
    take_turns(seconds, 120, 1024, 768);
    expect_one_thread();
    best = seconds[0];
    for (size_t i = 1; i < YOURS; i++) best = smaller(best, seconds[i]);
    return best / seconds[YOURS];
}

static void judge(const Settings *settings) {
    double ratio[PROBLEM_SEEDS], worst;
    threads_use(1);
    problem_measure(ratio, settings, of_the_best,
                    "%.2f of the speed of the ladder's best rung");
    worst = ratio[0];
    for (size_t i = 1; i < PROBLEM_SEEDS; i++) worst = smaller(worst, ratio[i]);
    printf("stars: %s\n", worst >= 1     ? "***"
                          : worst >= 0.8 ? "**"
                          : worst >= 0.4 ? "*"
                                         : "none");
    problem_at_least("of the best rung's speed", ratio, 0.8);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "15/fast_product", judge);
}
