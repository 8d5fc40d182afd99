/* Tests of exercise 12/top_k. */
#include "12-generation/top_k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "random.h"

enum { SMALL = 64, MAX = 6000 };

/* Scores at or above `threshold` stay, or only the first `limit` of them; the others become `hidden`. */
static const double *cut(const double *scores, size_t n, double threshold, size_t limit, double hidden) {
    double *out = checked_alloc(n, sizeof *out);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) out[i] = scores[i] >= threshold && kept++ < limit ? scores[i] : hidden;
    return out;
}

static int from_large(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

static void check_top_k(const double *scores, size_t n, size_t k) {
    double sorted[MAX], got[MAX], scratch[MAX];
    float floats[MAX];
    memcpy(sorted, scores, n * sizeof *sorted);
    memcpy(got, scores, n * sizeof *got);
    qsort(sorted, n, sizeof *sorted, from_large);
    top_k(got, scratch, n, k);
    for (size_t i = 0; i < n; i++) floats[i] = (float)got[i];
    size_t clamped = k == 0 || k > n ? n : k;
    double kth = sorted[clamped - 1], next = sorted[clamped < n ? clamped : n - 1],
           before = sorted[clamped > 1 ? clamped - 2 : 0];
    CHECK_CLOSE(
        "scores", floats, cut(scores, n, kth, n, -INFINITY), n, 1e-6,
        {"only k are kept, though others equal the k-th largest", cut(scores, n, kth, clamped, -INFINITY)},
        {"the others become 0: as a score that is not impossible, it must be -infinity",
         cut(scores, n, kth, n, 0)},
        {"one too many is kept", cut(scores, n, next, n, -INFINITY)},
        {"one too few is kept", cut(scores, n, before, n, -INFINITY)},
        {"nothing is kept", cut(scores, n, INFINITY, n, -INFINITY)},
        {"nothing is cut", cut(scores, n, -INFINITY, n, -INFINITY)},
        {"the scores were reordered: sort a copy", cut(sorted, n, kth, n, -INFINITY)});
}

Test(top_k, keeps_the_largest, .timeout = 10) {
    static const double scores[] = {0.5, -1, 3, 2.25, -4, 1, 7, -0.5};
    for (size_t k = 7; k > 0; k--) check_top_k(scores, 8, k);
}

Test(top_k, keeps_ties_with_the_kth, .timeout = 10) {
    static const double scores[] = {3, 1, 3, 5, 3, -2, 5, 0};
    check_top_k(scores, 8, 3); /* 5, 5 and all three 3s */
    check_top_k(scores, 8, 1); /* both 5s */
}

Test(top_k, zero_is_off, .timeout = 10) {
    static const double scores[] = {1, 2, 3};
    check_top_k(scores, 3, 0);
}

Test(top_k, more_than_there_are, .timeout = 10) {
    static const double scores[] = {1, 2, 3};
    check_top_k(scores, 3, 3);
    crash_means("k is taken as it is, though there are fewer scores than k");
    check_top_k(scores, 3, 4);
    check_top_k(scores, 3, 1000000);
}

/* Tokens that are excluded already stay excluded, also when k is larger than what is left. */
Test(top_k, excluded_tokens, .timeout = 10) {
    static const double scores[] = {-INFINITY, 2, -INFINITY, 1, -INFINITY};
    check_top_k(scores, 5, 1);
    check_top_k(scores, 5, 4);
}

Test(top_k, random_scores, .timeout = 10) {
    Random random = random_create(1);
    for (int trial = 0; trial < 500; trial++) {
        double scores[MAX];
        size_t n = 1 + random_below(&random, SMALL);
        for (size_t i = 0; i < n; i++)
            scores[i] = trial % 2 ? (double)random_below(&random, 6) : random_normal(&random);
        check_top_k(scores, n, random_below(&random, (uint32_t)n + 3));
    }
}

/* More tokens, and more of them kept, than any array in the function could hold. */
Test(top_k, thousands, .timeout = 10) {
    static double scores[MAX];
    Random random = random_create(2);
    for (size_t i = 0; i < MAX; i++) scores[i] = random_normal(&random);
    check_top_k(scores, MAX, 1);
    check_top_k(scores, MAX, 5003);
    check_top_k(scores, MAX, MAX - 1);
}
