/* Tests of exercise 01/welford: small numbers by hand, a large offset, merging in any
 * split. */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

#include "check/check.h"

static WelfordStats of(const float *x, size_t n) {
    WelfordStats s = {0};
    for (size_t i = 0; i < n; i++) welford_update(&s, x[i]);
    return s;
}

static double plain_mean(const float *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i];
    return sum / (double)n;
}

static double plain_sum_squares(const float *x, size_t n) {
    double mean = plain_mean(x, n), sum = 0;
    for (size_t i = 0; i < n; i++) sum += ((double)x[i] - mean) * ((double)x[i] - mean);
    return sum;
}

/* Right statistics without welford_update: a wrong update must not fail a right
 * merge. */
static WelfordStats right(const float *x, size_t n) {
    return (WelfordStats){n, (float)plain_mean(x, n), (float)plain_sum_squares(x, n)};
}

/* 2, 4, 9: the means are 2, 3, 5 and the sums of squares 0, 2, 26. */
Test(welford, three_numbers, .timeout = 10) {
    const float x[3] = {2, 4, 9};
    WelfordStats s = of(x, 3);
    CHECK(s.count == 3, "count is %zu after three numbers", s.count);
    CHECK_NUMBER("mean", s.mean, 5, 1e-6,
                 {"the mean is divided by the count before this number", &(double){8}},
                 {"the sum is kept, not the mean", &(double){15}},
                 {"only the last number is kept", &(double){9}});
    CHECK_NUMBER(
        "m2", s.m2, 26, 1e-6,
        {"d * d is added, with the old mean in both factors", &(double){44}},
        {"(x - mean)^2 is added, with the new mean in both factors", &(double){17}},
        {"the variance is kept instead of the sum of squares", &(double){26.0 / 3}},
        {"the squares themselves are summed", &(double){101}},
        {"d^2 / count is added: the second factor is x less the new mean",
         &(double){18}});
}

/* One update at a time, each from the right statistics of the numbers before: the terms
 * of the formula, by their names (known.h). */
Test(welford, each_update_alone, .timeout = 10) {
    enum { N = 9 };
    float *x = normal_floats(N, 1, 4), *mean = nan_floats(N), *m2 = nan_floats(N);
    double old_mean[N], old_m2[N], d[N], share[N], behind[N], added[N], d2[N],
        expected_mean[N], expected_m2[N], counts[N];
    for (size_t i = 0; i < N; i++) {
        WelfordStats s = right(x, i ? i : 1);
        if (i == 0) s = (WelfordStats){0};
        old_mean[i] = (double)s.mean;
        old_m2[i] = (double)s.m2;
        counts[i] = (double)i + 1;
        d[i] = (double)x[i] - old_mean[i];
        d2[i] = d[i] * d[i];
        share[i] = d[i] / counts[i];
        expected_mean[i] = old_mean[i] + share[i];
        behind[i] = (double)x[i] - expected_mean[i];
        added[i] = d[i] * behind[i];
        expected_m2[i] = old_m2[i] + added[i];
        welford_update(&s, x[i]);
        mean[i] = s.mean;
        m2[i] = s.m2;
    }
    AXES({"number", "count", N});
    axis_counts_from("number", 1);
    KNOW(x, "number");
    KNOW_AS("count", counts, "number");
    KNOW_AS("the mean before", old_mean, "number");
    KNOW_AS("m2 before", old_m2, "number");
    KNOW_AS("d", d, "number");
    KNOW_AS("d / count", share, "number");
    KNOW_AS("d^2", d2, "number");
    KNOW_AS("x - the new mean", behind, "number");
    KNOW_AS("d (x - the new mean)", added, "number");
    CHECK_CLOSE("mean", mean, expected_mean, N, 1e-5);
    CHECK_CLOSE("m2", m2, expected_m2, N, 1e-5);
}

Test(welford, first_number, .timeout = 10) {
    WelfordStats s = of((float[]){7}, 1);
    CHECK_NUMBER("mean", s.mean, 7, 1e-6);
    CHECK_NUMBER(
        "m2", s.m2, 0, 1e-6,
        {"d is squared: the second factor is x less the new mean, which is x here",
         &(double){49}});
}

/* Numbers that change neither mean nor m2 count all the same. */
Test(welford, equal_numbers, .timeout = 10) {
    WelfordStats s = of((float[]){7, 7, 7, 7}, 4);
    CHECK(s.count == 4,
          "count is %zu after four numbers that are the same, expected 4: each counts",
          s.count);
    CHECK_NUMBER("mean", s.mean, 7, 1e-6);
    CHECK_NUMBER("m2", s.m2, 0, 1e-6);
    s = of((float[]){0, 0, 6}, 3);
    CHECK(s.count == 3,
          "count is %zu after 0, 0, 6, expected 3: a zero is a number too", s.count);
    CHECK_NUMBER("mean of 0, 0, 6", s.mean, 2, 1e-6);
    CHECK_NUMBER("m2 of 0, 0, 6", s.m2, 24, 1e-6);
}

/* The sum of the squares is 1.6e9 here and its float has steps of 128; the sum of
 * squared differences is about 16. */
Test(welford, large_offset, .timeout = 10) {
    enum { N = 16 };
    float *x = normal_floats(N, 1, 1);
    for (size_t i = 0; i < N; i++) x[i] += 10000.0f;
    WelfordStats s = of(x, N);
    CHECK_NUMBER("mean", s.mean, plain_mean(x, N), 1e-6);
    CHECK_NUMBER("m2 of numbers around 10000 (a sum of x^2 loses its digits here)",
                 s.m2, plain_sum_squares(x, N), 1e-3);
}

/* A total of 2e9 in a float has steps of 128: the mean may only be moved by what is
 * new. */
Test(welford, many_numbers_with_an_offset, .timeout = 10) {
    enum { N = 200003 };
    float *x = normal_floats(N, 1, 6);
    for (size_t i = 0; i < N; i++) x[i] += 10000.0f;
    WelfordStats s = of(x, N);
    CHECK_NUMBER("mean of 200003 numbers around 10000 (mean * count, a total, loses "
                 "its digits here)",
                 s.mean, plain_mean(x, N), 5e-5);
    CHECK_NUMBER("m2 of 200003 numbers around 10000", s.m2, plain_sum_squares(x, N),
                 2e-2);
}

Test(welford, variance_both_ways, .timeout = 10) {
    WelfordStats s = {3, 5, 26}; /* of 2, 4, 9 */
    CHECK_NUMBER(
        "biased variance", welford_variance(&s, false), 26.0 / 3, 1e-6,
        {"it is divided by count - 1: biased and unbiased are exchanged",
         &(double){13}},
        {"the root is taken: that is the standard deviation",
         &(double){sqrt(26.0 / 3)}},
        {"the root is taken, and it is divided by count - 1", &(double){sqrt(13)}});
    CHECK_NUMBER(
        "unbiased variance", welford_variance(&s, true), 13, 1e-6,
        {"it is divided by count instead of count - 1", &(double){26.0 / 3}},
        {"the root is taken: that is the standard deviation", &(double){sqrt(13)}});
    WelfordStats two = {2, 3, 2}; /* of 2, 4 */
    CHECK_NUMBER("unbiased variance of two numbers", welford_variance(&two, true), 2,
                 1e-6,
                 {"two numbers are taken for too few: 2 - 1 is not 0", &(double){NAN}});
}

Test(welford, variance_of_too_few_is_nan, .timeout = 10) {
    WelfordStats none = {0}, one = {1, 7, 0};
    CHECK_NUMBER("unbiased variance of one number", welford_variance(&one, true), NAN,
                 1e-6, {"count - 1 = 0 is not looked at", &(double){INFINITY}},
                 {"0 is returned where nothing is known", &(double){0}},
                 {"it is divided by count instead of count - 1", &(double){0}});
    CHECK_NUMBER("biased variance of one number", welford_variance(&one, false), 0,
                 1e-6);
    CHECK_NUMBER("unbiased variance of nothing", welford_variance(&none, true), NAN,
                 1e-6, {"count - 1 wraps around to a huge number", &(double){0}});
    CHECK_NUMBER("biased variance of nothing", welford_variance(&none, false), NAN,
                 1e-6, {"0 is returned where nothing is known", &(double){0}});
}

/* Every way to cut the numbers in two must give the statistics of all. The two parts
 * have means 0 and about 6. */
Test(welford, merge_of_two_parts, .timeout = 10) {
    enum { N = 12 };
    float *x = normal_floats(N, 1, 2);
    for (size_t i = N / 3; i < N; i++) x[i] += 6.0f;
    double mean = plain_mean(x, N), m2 = plain_sum_squares(x, N);
    size_t cuts[] = {N / 3, 1, 7, N - 1};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        size_t cut = cuts[c];
        WelfordStats s = right(x, cut), other = right(x + cut, N - cut);
        double d = (double)other.mean - (double)s.mean,
               parts = (double)s.m2 + (double)other.m2;
        /* what is left of d after the mean moved */
        double before = (double)s.mean, late = d * (double)cut / N;
        welford_merge(&s, &other);
        CHECK(s.count == N, "count is %zu after merging %zu and %zu numbers", s.count,
              cut, N - cut);
        CHECK_NUMBER(
            "mean", s.mean, mean, 1e-5,
            {"the means are averaged without their counts",
             &(double){(double)other.mean - d / 2}},
            {"the mean stays what it was: other.count / n is 0 in integers", &before},
            {"the mean is moved by the share of the wrong part",
             &(double){(double)other.mean - d * (double)(N - cut) / N}});
        CHECK_NUMBER(
            "m2", s.m2, m2, 1e-5,
            {"the sums of squares are only added: the distance of the two means is "
             "missing",
             &parts},
            {"d^2 is added without the counts", &(double){parts + d * d}},
            {"the mean was updated before d was taken for m2",
             &(double){parts + late * late * (double)cut * (double)(N - cut) / N}},
            {"the count was updated before it was used",
             &(double){parts + d * d * (double)(N - cut)}},
            {"count * other.count / n is a division of integers",
             &(double){parts + d * d * (double)(cut * (N - cut) / N)}});
    }
}

/* The same cuts together, and the terms of the formula by their names (known.h). */
Test(welford, merge_at_each_place, .timeout = 10) {
    enum { N = 12, CUTS = N - 1 };
    float *x = normal_floats(N, 1, 5), *mean = nan_floats(CUTS), *m2 = nan_floats(CUTS);
    double old_mean[CUTS], other_mean[CUTS], old_m2[CUTS], other_m2[CUTS], d[CUTS],
        moved[CUTS], spread[CUTS], all_mean[CUTS], all_m2[CUTS], d2[CUTS], counts[CUTS],
        other_counts[CUTS];
    for (size_t i = 0; i < N; i++) x[i] += (float)i;
    for (size_t c = 0; c < CUTS; c++) {
        WelfordStats s = right(x, c + 1), other = right(x + c + 1, N - c - 1);
        double share = (double)other.count / N;
        old_mean[c] = (double)s.mean;
        other_mean[c] = (double)other.mean;
        old_m2[c] = (double)s.m2;
        other_m2[c] = (double)other.m2;
        counts[c] = (double)s.count;
        other_counts[c] = (double)other.count;
        d[c] = other_mean[c] - old_mean[c];
        d2[c] = d[c] * d[c];
        moved[c] = d[c] * share;
        spread[c] = d2[c] * (double)s.count * share;
        all_mean[c] = plain_mean(x, N);
        all_m2[c] = plain_sum_squares(x, N);
        welford_merge(&s, &other);
        mean[c] = s.mean;
        m2[c] = s.m2;
    }
    AXES({"cut", "cuts", CUTS});
    KNOW_AS("count", counts, "cut");
    KNOW_AS("other.count", other_counts, "cut");
    KNOW_AS("mean", old_mean, "cut");
    KNOW_AS("other.mean", other_mean, "cut");
    KNOW_AS("m2", old_m2, "cut");
    KNOW_AS("other.m2", other_m2, "cut");
    KNOW_AS("d", d, "cut");
    KNOW_AS("d^2", d2, "cut");
    KNOW_AS("d other.count / n", moved, "cut");
    KNOW_AS("d^2 count other.count / n", spread, "cut");
    CHECK_CLOSE("the merged mean", mean, all_mean, CUTS, 1e-5);
    CHECK_CLOSE("the merged m2", m2, all_m2, CUTS, 1e-5);
}

Test(welford, merge_with_nothing, .timeout = 10) {
    WelfordStats s = {3, 5, 26}, none = {0}, both = {0};
    welford_merge(&s, &none);
    CHECK(s.count == 3 && s.mean == 5 && s.m2 == 26,
          "merging nothing in changes the statistics");
    welford_merge(&none, &s);
    CHECK(none.count == 3, "count is %zu after merging 3 numbers into nothing",
          none.count);
    CHECK_NUMBER("mean", none.mean, 5, 1e-6);
    CHECK_NUMBER("m2", none.m2, 26, 1e-6);
    welford_merge(&both, &(WelfordStats){0});
    CHECK_NUMBER("mean of nothing and nothing", both.mean, 0, 1e-6,
                 {"0 / 0: both parts are empty", &(double){NAN}});
}
