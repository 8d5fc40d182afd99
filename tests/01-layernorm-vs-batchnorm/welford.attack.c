/* An attack on 01/welford: the plain mean and variance of numbers with an offset, at
 * once, merged from two parts of any size, of equal numbers, and of too few. */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

#include "check/check.h"

static WelfordStats stats_of(const float *x, size_t n) {
    WelfordStats s = {0};
    for (size_t i = 0; i < n; i++) welford_update(&s, x[i]);
    return s;
}

static void check_stats(const WelfordStats *s, const float *x, size_t n) {
    double mean = 0, m2 = 0;
    for (size_t i = 0; i < n; i++) mean += (double)x[i] / (double)n;
    for (size_t i = 0; i < n; i++) m2 += pow((double)x[i] - mean, 2);
    CHECK(s->count == n, "count is %zu, expected %zu", s->count, n);
    CHECK_NUMBER("mean", s->mean, mean, 1e-5);
    CHECK_NUMBER("m2", s->m2, m2, 1e-2);
    CHECK_NUMBER("variance", welford_variance(s, false), m2 / (double)n, 1e-2);
    CHECK_NUMBER("unbiased variance", welford_variance(s, true), m2 / (double)(n - 1),
                 1e-2);
}

enum { N = 9 };

Test(attack, numbers_one_by_one_and_in_two_parts) {
    for (int far = 0; far < 2; far++) {
        float *x = normal_floats(N, 2, 1);
        for (size_t i = 0; i < N; i++) x[i] += far ? 10000.0f : (float)i;
        WelfordStats all = stats_of(x, N);
        check_stats(&all, x, N);
        for (size_t cut = 0; cut <= N; cut++) {
            WelfordStats left = stats_of(x, cut), right = stats_of(x + cut, N - cut);
            welford_merge(&left, &right);
            check_stats(&left, x, N);
        }
    }
}

Test(attack, equal_numbers) {
    float *x = equal_floats(N, 3);
    WelfordStats all = stats_of(x, N);
    check_stats(&all, x, N);
    x[N - 1] = x[N - 2] = 0;
    all = stats_of(x, N);
    check_stats(&all, x, N);
}

Test(attack, too_few_numbers) {
    WelfordStats none = {0}, one = stats_of((float[]){3}, 1);
    welford_merge(&none, &(WelfordStats){0});
    CHECK(none.count == 0 && none.mean == 0 && none.m2 == 0,
          "nothing and nothing is not nothing");
    CHECK(isnan(welford_variance(&none, false)) && isnan(welford_variance(&none, true)),
          "none: expected NaN");
    CHECK(isnan(welford_variance(&one, true)), "one, unbiased: expected NaN");
    CHECK(welford_variance(&one, false) == 0, "the variance of one number is not 0");
}
