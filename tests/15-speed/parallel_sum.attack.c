/* The attack on 15/parallel_sum: numbers of very different size, whole chunks and parts
 * of one, several times over and with several numbers of threads. */
#include "15-speed/parallel_sum.h"

#include <math.h>

#include "check/check.h"
#ifdef _OPENMP
#include <omp.h>
#endif

static void check_size(size_t n) {
    float *x = normal_floats(n, 1, 1);
    double expected = 0;
    for (size_t i = 0; i < n; i++) x[i] *= ldexpf(1, (int)(i * 7 % 61) - 30);
    for (size_t begin = 0; begin < n; begin += SUM_CHUNK) {
        double chunk = 0;
        for (size_t i = begin; i < n && i < begin + SUM_CHUNK; i++)
            chunk += (double)x[i];
        expected += chunk;
    }
    for (int threads = 1; threads <= 4; threads++) {
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        CHECK(parallel_sum(x, n) == expected,
              "the sum of %zu numbers has other bytes with %d threads", n, threads);
    }
}

Test(attack, a_few_numbers) {
    check_size(3);
}

Test(attack, whole_chunks) {
    check_size(2 * SUM_CHUNK);
}

Test(attack, a_short_chunk) {
    for (size_t n = 1; n < 9; n++) check_size(n * SUM_CHUNK + 5 * n);
}

Test(attack, many_chunks) {
    check_size(100 * SUM_CHUNK - 5);
}
