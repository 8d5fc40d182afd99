/* Tests of exercise 15/parallel_sum: sums whose last bits tell in which order they were
 * added. */
#include "15-speed/parallel_sum.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"
#include "base/memory.h"
#include "kernels/threads.h"

/* An order of adding n numbers: with chunks of so many, if it has chunks. */
typedef double Order(const float *x, size_t n, size_t chunk);

static double stretch_sum(const float *x, size_t begin, size_t end) {
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += (double)x[i];
    return sum;
}

static double in_chunks(const float *x, size_t n, size_t chunk) {
    double total = 0;
    for (size_t begin = 0; begin < n; begin += chunk)
        total += stretch_sum(x, begin, n - begin < chunk ? n : begin + chunk);
    return total;
}

static double in_one_go(const float *x, size_t n, size_t chunk) {
    (void)chunk;
    return stretch_sum(x, 0, n);
}

static double without_the_last(const float *x, size_t n, size_t chunk) {
    return in_chunks(x, n / chunk * chunk, chunk);
}

static double first_chunk_only(const float *x, size_t n, size_t chunk) {
    return stretch_sum(x, 0, n < chunk ? n : chunk);
}

static double in_floats(const float *x, size_t n, size_t chunk) {
    double total = 0;
    for (size_t begin = 0; begin < n; begin += chunk) {
        float sum = 0;
        for (size_t i = begin; i < n && i < begin + chunk; i++) sum += x[i];
        total += (double)sum;
    }
    return total;
}

static double total_in_float(const float *x, size_t n, size_t chunk) {
    float total = 0;
    for (size_t begin = 0; begin < n; begin += chunk)
        total = (float)((double)total +
                        stretch_sum(x, begin, n - begin < chunk ? n : begin + chunk));
    return (double)total;
}

static double last_chunk_first(const float *x, size_t n, size_t chunk) {
    double total = 0;
    for (size_t c = (n + chunk - 1) / chunk; c-- > 0;)
        total += stretch_sum(x, c * chunk, n - c * chunk < chunk ? n : (c + 1) * chunk);
    return total;
}

static double rest_in_the_last_whole(const float *x, size_t n, size_t chunk) {
    size_t whole = n / chunk;
    if (whole < 2) return stretch_sum(x, 0, n);
    return in_chunks(x, (whole - 1) * chunk, chunk) +
           stretch_sum(x, (whole - 1) * chunk, n);
}

/* The chunks are shared out in `parts` stretches, each of which is added up first: a
 * thread's own sum. */
static double by_parts(const float *x, size_t n, size_t parts) {
    double total = 0;
    size_t chunks = (n + SUM_CHUNK - 1) / SUM_CHUNK, from = 0;
    for (size_t p = 0; p < parts; p++) {
        size_t share = chunks / parts + (p < chunks % parts), begin = from * SUM_CHUNK,
               end = (from + share) * SUM_CHUNK;
        if (begin < n)
            total += in_chunks(x + begin, (end < n ? end : n) - begin, SUM_CHUNK);
        from += share;
    }
    return total;
}

/* Numbers of very different size, so that each order of adding them has last bits of
 * its own. */
static float *mixed_floats(size_t n, unsigned seed) {
    float *x = normal_floats(n, 1, seed);
    for (size_t i = 0; i < n; i++) x[i] *= ldexpf(1, (int)(i * 7 % 61) - 30);
    return x;
}

/* Whether what is wrong with one thread, too, is this order. One sum may be equal by
 * chance: so others are asked for as well. */
static bool adds_like(Order *order, size_t chunk, double got, const float *x,
                      size_t n) {
    bool same = got == order(x, n, chunk);
    for (unsigned seed = 11; seed < 16 && same; seed++) {
        float *others = mixed_floats(n, seed);
        same = parallel_sum(others, n) == order(others, n, chunk);
        free(others);
    }
    return same;
}

static void check_order(double got, const float *x, size_t n) {
    static const struct {
        Order *order;
        const char *words;
    } orders[] = {
        {in_one_go, "is added up in one go, expected chunks of 4096"},
        {without_the_last, "lacks the last chunk"},
        {first_chunk_only, "is that of the first chunk"},
        {in_floats, "has its chunks added up in float, expected double"},
        {total_in_float, "has its chunks' sums added up in float, expected double"},
        {last_chunk_first, "is added up wrongly: the last chunk is added first"},
        {rest_in_the_last_whole,
         "has the rest, behind the last whole chunk, added up in that chunk"}};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        CHECK(!adds_like(orders[k].order, SUM_CHUNK, got, x, n),
              "the sum of %zu numbers %s", n, orders[k].words);
    static const size_t sizes[] = {32,   64,   128,  256,  512,  1000,  1024,  2000,
                                   2048, 4000, 4095, 4097, 8192, 10000, 16384, 65536};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        CHECK(!adds_like(in_chunks, sizes[k], got, x, n),
              "the sum of %zu numbers has chunks of %zu, expected %d", n, sizes[k],
              SUM_CHUNK);
}

static void check_sum(const float *x, size_t n, int threads) {
    threads_use((size_t)threads);
    double got = parallel_sum(x, n), expected = in_chunks(x, n, SUM_CHUNK);
    if (got == expected) return;
    threads_use(1);
    bool right_alone = threads > 1 && parallel_sum(x, n) == expected;
    if (!right_alone) check_order(got, x, n);
    const char *numbers = "the sum of";
    CHECK(threads == 1 || got != by_parts(x, n, (size_t)threads),
          "%s %zu numbers, with %d thread%s: each thread adds up its chunks, so that "
          "the result depends on "
          "their number",
          numbers, n, threads, threads > 1 ? "s" : "");
    CHECK(false, "%s %zu numbers, with %d thread%s, is %.17g, expected %.17g%s",
          numbers, n, threads, threads > 1 ? "s" : "", got, expected,
          right_alone ? "; with one thread it is right: this is what you get when "
                        "threads write to the same sum "
                        "or place, or share out its terms otherwise than in chunks"
          : fabs(got - expected) < 1e-12 * fabs(expected)
              ? "; it is right but for its last bits; perhaps the numbers of a chunk "
                "and the chunks are added in another order, or more exactly than in "
                "double"
              : "");
}

static void check_size(size_t n) {
    float *x = mixed_floats(n, 1);
    for (int threads = 1; threads <= 4; threads++) check_sum(x, n, threads);
    free(x);
}

Test(parallel_sum, a_few_numbers, .timeout = 10) {
    float x[3] = {1, 2, 4};
    CHECK_NUMBER("1 + 2 + 4", parallel_sum(x, 3), 7, 1e-7,
                 {"the last number is left out", (double[]){3}},
                 {"the first number is left out", (double[]){6}});
}

Test(parallel_sum, whole_chunks, .timeout = 10) {
    check_size(SUM_CHUNK);
    check_size(2 * SUM_CHUNK);
}

Test(parallel_sum, the_last_chunk_is_short, .timeout = 10) {
    check_size(SUM_CHUNK - 1);
    check_size(3 * SUM_CHUNK + 1);
    check_size(5 * SUM_CHUNK - 1);
}

/* More chunks than any array of fixed size would hold, and more than threads. */
Test(parallel_sum, many_chunks, .timeout = 10) {
    check_size(301 * SUM_CHUNK + 17);
}

Test(parallel_sum, more_chunks_than_4096, .timeout = 10) {
    const size_t n = 4099 * (size_t)SUM_CHUNK + 1;
    float *x = checked_alloc(n, sizeof *x);
    x[0] = 2, x[n - 1] = 5;
    CHECK_NUMBER(
        "the sum of 4100 chunks of zeros, but for a 2 at the start and a 5 at the end",
        parallel_sum(x, n), 7, 1e-7, {"the last chunks are left out", (double[]){2}});
    free(x);
}

/* 2^53 + 1 is 2^53 in double, and 2^53 + 2 is not. */
Test(parallel_sum, a_chunk_of_one_number, .timeout = 10) {
    const size_t n = 2 * SUM_CHUNK + 1;
    float *x = checked_alloc(n, sizeof *x);
    x[0] = 0x1p53f, x[SUM_CHUNK] = 1, x[2 * SUM_CHUNK] = 1;
    double got = parallel_sum(x, n);
    CHECK(got == 0x1p53,
          "chunks whose sums are 2^53, 1 and 1: got 2^53 + %g, expected 2^53, because "
          "2^53 + 1 is rounded to "
          "it%s",
          got - 0x1p53,
          got == 0x1p53 + 2
              ? "; the last chunk, of one number, is added to the one before"
              : "");
    free(x);
}

/* A chunk of 2^53, and two ones: in one chunk they are 2, and 2^53 + 2 is another
 * number than 2^53. */
static double two_ones(size_t first, size_t n) {
    float *x = checked_alloc(n, sizeof *x);
    x[0] = 0x1p53f, x[first] = 1, x[first + 1] = 1;
    double got = parallel_sum(x, n);
    free(x);
    return got - 0x1p53;
}

Test(parallel_sum, where_chunks_begin, .timeout = 10) {
    for (size_t begin = SUM_CHUNK; begin <= 3 * SUM_CHUNK; begin += SUM_CHUNK) {
        double apart = two_ones(begin - 1, 4 * SUM_CHUNK),
               together = two_ones(begin, 4 * SUM_CHUNK);
        CHECK(apart == 0 && together == 2,
              "2^53 and 1 + 1: the ones at %zu and %zu add %g to the sum, expected 0, "
              "those at %zu and %zu "
              "add %g, "
              "expected 2: a chunk begins with number %zu",
              begin - 1, begin, apart, begin, begin + 1, together, begin);
    }
}

Test(parallel_sum, the_same_bytes_with_any_threads, .timeout = 10) {
    float *x = mixed_floats(50 * SUM_CHUNK, 2);
    for (int threads = 2; threads <= 12; threads++)
        check_sum(x, 50 * SUM_CHUNK, threads);
    free(x);
}

/* Twice in a row, and again and again: nothing is kept from one call to the next. */
Test(parallel_sum, call_after_call, .timeout = 10) {
    float *x = equal_floats(2 * SUM_CHUNK + 5, 1);
    for (size_t i = 0; i < 20; i++)
        CHECK_NUMBER("the sum of 8197 ones", parallel_sum(x, 2 * SUM_CHUNK + 5), 8197,
                     1e-7);
    CHECK_NUMBER("the sum of 3 ones after it", parallel_sum(x, 3), 3, 1e-7);
    free(x);
}

Test(parallel_sum, no_numbers, .timeout = 10) {
    crash_means("x is read though n is 0");
    CHECK_NUMBER("the sum of no numbers", parallel_sum(NULL, 0), 0, 1e-7);
}
