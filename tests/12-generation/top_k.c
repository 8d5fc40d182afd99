/* Tests of exercise 12/top_k. */
#include "12-generation/top_k.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "math/random.h"

enum { SMALL = 64, MAX = 6000 };

/* Scores at or above `threshold` stay, or only the first `limit` of them; the others
 * become `hidden`. */
static const double *cut(const double *scores, size_t n, double threshold, size_t limit,
                         double hidden) {
    double *out = checked_alloc(n, sizeof *out);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = scores[i] >= threshold && kept++ < limit ? scores[i] : hidden;
    return out;
}

static int from_large(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* A comparison of a kind that loses what is behind the point. What is too large for an
 * int becomes the smallest one, as most processors have it. */
static int from_large_in_ints(const void *a, const void *b) {
    double difference = *(const double *)b - *(const double *)a;
    return fabs(difference) < 2147483648.0 ? (int)difference : INT_MIN;
}

/* The k-th largest of n different numbers, of which some are the same. */
static double kth_distinct(const double *sorted, size_t n, size_t k) {
    size_t at = 0;
    for (size_t i = 1; i < n && k > 1; i++) {
        if (sorted[i] < sorted[at]) {
            at = i;
            k--;
        }
    }
    return k > 1 ? -INFINITY : sorted[at];
}

/* The k-th largest, found by taking the largest k times and leaving a 0 in its
 * place. */
static double kth_over_zeros(const double *scores, size_t n, size_t k) {
    double left[MAX], largest = 0;
    memcpy(left, scores, n * sizeof *left);
    for (size_t taken = 0; taken < k; taken++) {
        size_t at = 0;
        for (size_t i = 1; i < n; i++) at = left[i] > left[at] ? i : at;
        largest = left[at];
        left[at] = 0;
    }
    return largest;
}

/* The right result of top_k, and those of known mistakes. */
typedef enum {
    RIGHT,
    TIES_CUT,
    ZEROED,
    ONE_MORE,
    ONE_LESS,
    NOTHING,
    ALL,
    REORDERED,
    DISTINCT,
    SMALLEST,
    CUT_TO_INTS,
    OVER_ZEROS,
    IN_FLOAT,
    LOWEST,
    VARIATIONS
} Variation;

static const char *const when[VARIATIONS] = {
    [TIES_CUT] = "only k are kept, though others equal the k-th largest",
    [ZEROED] =
        "the others become 0: as a score that is not impossible, it must be -infinity",
    [ONE_MORE] = "one too many is kept",
    [ONE_LESS] = "one too few is kept",
    [NOTHING] = "nothing is kept",
    [ALL] = "nothing is cut",
    [REORDERED] = "the scores were reordered: sort a copy",
    [DISTINCT] =
        "equal scores are counted once: the k-th largest is that of different ones",
    [SMALLEST] = "the k-th smallest stands for the k-th largest: sort from large to "
                 "small, or look at n - k",
    [CUT_TO_INTS] =
        "the difference of two scores is cut to an int: below 1 they count as equal",
    [OVER_ZEROS] = "what was taken becomes 0, which is larger than a negative score: "
                   "-infinity is not",
    [IN_FLOAT] =
        "the k-th largest is kept as a float: rounded up, it is larger than itself",
    [LOWEST] = "the others become a number, the lowest there is: it is not impossible, "
               "-infinity is",
};

/* All cases of a test are compared together: a mistake is named only if it explains all
 * of them. Of one case, with all but one score kept, half of the mistakes are the
 * same. */
enum { MOST_CASES = 500, MOST = MOST_CASES * SMALL + 3 * MAX };
static struct {
    size_t n, n_cases, ends[MOST_CASES], k[MOST_CASES];
    float got[MOST];
    double before[MOST], plain[VARIATIONS][MOST];
} cases;

static void add_case(const double *scores, size_t n, size_t k) {
    double sorted[MAX], in_ints[MAX], *got = guarded_alloc(n, sizeof *got),
                                      *scratch = guarded_alloc(n, sizeof *scratch);
    memcpy(sorted, scores, n * sizeof *sorted);
    memcpy(got, scores, n * sizeof *got);
    memcpy(in_ints, scores, n * sizeof *in_ints);
    qsort(sorted, n, sizeof *sorted, from_large);
    qsort(in_ints, n, sizeof *in_ints, from_large_in_ints);
    top_k(got, scratch, n, k);
    size_t clamped = k == 0 || k > n ? n : k;
    double kth = sorted[clamped - 1], next = sorted[clamped < n ? clamped : n - 1],
           before = clamped > 1 ? sorted[clamped - 2] : INFINITY;
    const double *plain[VARIATIONS] = {
        cut(scores, n, kth, n, -INFINITY),
        cut(scores, n, kth, clamped, -INFINITY),
        cut(scores, n, kth, n, 0),
        cut(scores, n, next, n, -INFINITY),
        cut(scores, n, before, n, -INFINITY),
        cut(scores, n, INFINITY, n, -INFINITY),
        cut(scores, n, -INFINITY, n, -INFINITY),
        cut(sorted, n, kth, n, -INFINITY),
        cut(scores, n, kth_distinct(sorted, n, clamped), n, -INFINITY),
        cut(scores, n, clamped < n ? sorted[n - clamped] : -INFINITY, n, -INFINITY),
        cut(scores, n, clamped < n ? in_ints[clamped - 1] : -INFINITY, n, -INFINITY),
        cut(scores, n, clamped < n ? kth_over_zeros(scores, n, clamped) : -INFINITY, n,
            -INFINITY),
        cut(scores, n, clamped < n ? (double)(float)kth : -INFINITY, n, -INFINITY),
        cut(scores, n, kth, n, (double)-FLT_MAX),
    };
    for (Variation v = RIGHT; v < VARIATIONS; v++)
        memcpy(cases.plain[v] + cases.n, plain[v], n * sizeof(double));
    for (size_t i = 0; i < n; i++) { /* no finite number becomes infinite */
        bool low = isfinite(got[i]) && got[i] < (double)-FLT_MAX;
        cases.got[cases.n + i] = low ? -FLT_MAX : (float)got[i];
    }
    free(got);
    free(scratch);
    memcpy(cases.before + cases.n, scores, n * sizeof *scores);
    cases.n += n;
    cases.k[cases.n_cases] = k;
    cases.ends[cases.n_cases++] = cases.n;
}

/* "; 4 stay, expected 7", of the numbers from `start` to `end`; "" where as many stay
 * as should. */
static const char *how_many_stay(size_t start, size_t end) {
    static char words[60];
    size_t stay = 0, expected = 0;
    for (size_t i = start; i < end; i++) {
        bool was = isfinite(cases.before[i]) != 0;
        stay += was && (double)cases.got[i] == (double)(float)cases.before[i];
        expected += was && isfinite(cases.plain[RIGHT][i]) != 0;
    }
    snprintf(words, sizeof words, "; %zu stay, expected %zu", stay, expected);
    return stay == expected ? "" : words;
}

/* The next case is the first of others. */
static void check_cases(void) {
    Mistake mistakes[VARIATIONS];
    for (Variation v = RIGHT; v < VARIATIONS; v++)
        mistakes[v] = (Mistake){when[v], cases.plain[v]};
    AXES({"score", "numbers", cases.n});
    KNOW_AS("the score as it was given", cases.before, "score");
    const char *message = compare("scores", cases.got, cases.plain[RIGHT], cases.n,
                                  1e-6, mistakes + 1, VARIATIONS - 1);
    size_t wrong = 0, c = 0, n_cases = cases.n_cases;
    cases.n = cases.n_cases = 0;
    const double *right = cases.plain[RIGHT];
    while (message && ((double)cases.got[wrong] == right[wrong] ||
                       fabs((double)cases.got[wrong] - right[wrong]) <= 1e-5))
        wrong++;
    while (message && cases.ends[c] <= wrong) c++;
    size_t start = c > 0 ? cases.ends[c - 1] : 0;
    CHECK(message == NULL,
          "%zu cases of top_k: %s; first wrong: k = %zu of %zu scores, number %zu%s",
          n_cases, message, cases.k[c], cases.ends[c] - start, wrong - start,
          how_many_stay(start, cases.ends[c]));
}

Test(top_k, keeps_the_largest, .timeout = 10) {
    static const double scores[] = {0.5, -1, 3, 2.25, -4, 1, 7, -0.5};
    for (size_t k = 7; k > 0; k--) add_case(scores, 8, k);
    check_cases();
}

Test(top_k, keeps_ties_with_the_kth, .timeout = 10) {
    static const double scores[] = {3, 1, 3, 5, 3, -2, 5, 0};
    add_case(scores, 8, 3); /* 5, 5 and all three 3s */
    add_case(scores, 8, 1); /* both 5s */
    check_cases();
}

Test(top_k, zero_is_off, .timeout = 10) {
    static const double scores[] = {1, 2, 3};
    add_case(scores, 3, 0);
    check_cases();
}

Test(top_k, more_than_there_are, .timeout = 10) {
    static const double scores[] = {1, 2, 3};
    add_case(scores, 3, 3);
    crash_means("k is taken as it is, though there are fewer scores than k");
    add_case(scores, 3, 4);
    add_case(scores, 3, 1000000);
    check_cases();
}

/* Tokens that are excluded already stay excluded, also when k is larger than what is
 * left. */
Test(top_k, excluded_tokens, .timeout = 10) {
    static const double scores[] = {-INFINITY, 2, -INFINITY, 1, -INFINITY};
    add_case(scores, 5, 1);
    add_case(scores, 5, 4);
    check_cases();
}

Test(top_k, random_scores, .timeout = 10) {
    Random random = random_create(1);
    crash_means("scores or scratch is used behind its n numbers");
    for (int trial = 0; trial < 500; trial++) {
        double scores[MAX];
        size_t n = 1 + random_below(&random, SMALL);
        for (size_t i = 0; i < n; i++)
            scores[i] =
                trial % 2 ? (double)random_below(&random, 6) : random_normal(&random);
        add_case(scores, n, random_below(&random, (uint32_t)n + 3));
    }
    check_cases();
}

/* More tokens, and more of them kept, than any array in the function could hold. */
Test(top_k, thousands, .timeout = 10) {
    static double scores[MAX];
    Random random = random_create(2);
    for (size_t i = 0; i < MAX; i++) scores[i] = random_normal(&random);
    add_case(scores, MAX, 1);
    add_case(scores, MAX, 5003);
    add_case(scores, MAX, MAX - 1);
    check_cases();
}
