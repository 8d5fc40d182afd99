/* Tests of exercise 12/top_p. */
#include "12-generation/top_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "math/random.h"

enum { MAX = 64 };

typedef enum {
    RIGHT,
    ONE_SHORT,   /* the token that reaches p is left out */
    ONE_MORE,    /* goes on until the sum is above p by another token */
    NOT_DIVIDED, /* the sum of what is left is not 1 */
    DIVIDED_BY_P,
    TIES_STAY,
    TIES_NOT_COUNTED, /* they stay, and are not in the sum */
    BY_RANK,          /* the largest stands in place 0 */
    LEAST_FIRST,      /* the unlikely ones are kept */
    IN_TOKEN_ORDER,   /* not sorted */
    NONE_LEFT_AT_0,   /* p = 0 takes none */
    HIGHER_TOKEN_FIRST,
    ALL,      /* nothing is taken away */
    ONE_ALONE /* the likeliest, however large p is */
} Variation;

static const double *nucleus(const double *p, size_t n, double wanted,
                             Variation variation) {
    double *out = checked_alloc(n, sizeof *out), sum = 0;
    if (variation == ALL) return memcpy(out, p, n * sizeof *out);
    if (variation == ONE_ALONE) wanted = 0;
    bool taken[MAX] = {false};
    size_t order[MAX], n_taken = 0;
    while (n_taken < n &&
           (sum < wanted || (n_taken == 0 && variation != NONE_LEFT_AT_0))) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (taken[i]) continue;
            bool better = best == n || p[i] > p[best];
            if (best < n && variation == LEAST_FIRST) better = p[i] < p[best];
            if (best < n && variation == IN_TOKEN_ORDER) better = false;
            if (best < n && variation == HIGHER_TOKEN_FIRST) better = p[i] >= p[best];
            if (better) best = i;
        }
        taken[best] = true;
        order[n_taken++] = best;
        sum += p[best];
    }
    if (variation == ONE_SHORT && n_taken > 1) taken[order[n_taken - 1]] = false;
    double counted = sum;
    bool ties = variation == TIES_STAY || variation == TIES_NOT_COUNTED;
    for (size_t i = 0; i < n && ties; i++) taken[i] |= p[i] >= p[order[n_taken - 1]];
    if (variation == ONE_MORE) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (!taken[i] && (best == n || p[i] > p[best])) best = i;
        }
        if (best < n) taken[best] = true;
    }
    sum = 0;
    for (size_t i = 0; i < n; i++) sum += taken[i] ? p[i] : 0;
    if (variation == TIES_NOT_COUNTED) sum = counted;
    double by = variation == NOT_DIVIDED ? 1 : variation == DIVIDED_BY_P ? wanted : sum;
    for (size_t i = 0; i < n; i++) out[i] = taken[i] ? p[i] / by : 0;
    for (size_t i = 0; i < n && variation == BY_RANK; i++)
        out[i] = i < n_taken ? p[order[i]] / by : 0;
    return out;
}

/* Of the probabilities of tokens that are left. */
static double sum_of(const double *p, size_t n, const double *left) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += left[i] > 0 ? p[i] : 0;
    return sum;
}

static void check_top_p(const double *p, size_t n, double wanted) {
    double *got = guarded_alloc(n, sizeof *got);
    TokenProbability *scratch = guarded_alloc(n, sizeof *scratch);
    float floats[MAX];
    memcpy(got, p, n * sizeof *got);
    top_p(got, scratch, n, wanted);
    for (size_t i = 0; i < n; i++) floats[i] = (float)got[i];
    free(got);
    free(scratch);
    AXES({"token", "tokens", n});
    KNOW_AS("the probability as it was given", p, "token");
    know_number("p", wanted);
    know_number("the sum of those taken", sum_of(p, n, nucleus(p, n, wanted, RIGHT)));
    CHECK_CLOSE(
        "probabilities", floats, nucleus(p, n, wanted, RIGHT), n, 1e-6,
        {"the token that brings the sum to p is left out",
         nucleus(p, n, wanted, ONE_SHORT)},
        {"one token too many is taken", nucleus(p, n, wanted, ONE_MORE)},
        {"those taken are not divided by their sum",
         nucleus(p, n, wanted, NOT_DIVIDED)},
        {"those taken are divided by p, not by their sum",
         nucleus(p, n, wanted, DIVIDED_BY_P)},
        {"they are stored in the order of their size, each in the place of another "
         "token",
         nucleus(p, n, wanted, BY_RANK)},
        {"all tokens as likely as the last one taken stay, too: of equal ones the "
         "lower token goes first",
         nucleus(p, n, wanted, TIES_STAY)},
        {"all tokens as likely as the last one taken stay, too, and are missing in the "
         "sum",
         nucleus(p, n, wanted, TIES_NOT_COUNTED)},
        {"the unlikely tokens are taken first", nucleus(p, n, wanted, LEAST_FIRST)},
        {"tokens are taken in the order of their ids, not of their probabilities (does "
         "the comparison cut to "
         "an "
         "int?)",
         nucleus(p, n, wanted, IN_TOKEN_ORDER)},
        {"no token is taken for p = 0", nucleus(p, n, wanted, NONE_LEFT_AT_0)},
        {"of equal probabilities the higher token goes first",
         nucleus(p, n, wanted, HIGHER_TOKEN_FIRST)},
        {"nothing is taken away", nucleus(p, n, wanted, ALL)},
        {"only the likeliest token is left, though p asks for more",
         nucleus(p, n, wanted, ONE_ALONE)});
}

static const double five[] = {0.1, 0.45, 0.05, 0.25, 0.15};

Test(top_p, smallest_set, .timeout = 10) {
    check_top_p(five, 5, 0.6); /* 0.45 + 0.25 */
    check_top_p(five, 5, 0.75);
    check_top_p(five, 5, 0.9);
}

/* 0.5 + 0.25 is 0.75 exactly: that is enough. */
Test(top_p, exactly_p_is_enough, .timeout = 10) {
    static const double p[] = {0.125, 0.5, 0.125, 0.25};
    check_top_p(p, 4, 0.75);
    check_top_p(p, 4, 0.5);
}

Test(top_p, first_token_alone, .timeout = 10) {
    static const double p[] = {0.02, 0.95, 0.02, 0.01};
    check_top_p(p, 4, 0.9);
    check_top_p(five, 5, 0.01);
}

Test(top_p, zero_keeps_one, .timeout = 10) {
    check_top_p(five, 5, 0);
    static const double equal[] = {0.2, 0.2, 0.2, 0.2, 0.2};
    check_top_p(equal, 5, 0);
}

/* 1 is off. These probabilities sum to a little less than 1, as rounded ones may. */
Test(top_p, one_is_off, .timeout = 10) {
    static const double p[] = {0.1, 0.2, 0.3, 0.4 - 1e-9};
    double got[4];
    TokenProbability scratch[4];
    memcpy(got, p, sizeof got);
    top_p(got, scratch, 4, 1);
    CHECK(memcmp(got, p, sizeof got) == 0,
          "p = 1 changes the probabilities: got %.17g, expected %.17g", got[0], p[0]);
}

Test(top_p, equal_probabilities, .timeout = 10) {
    static const double p[] = {0.125, 0.25, 0.125, 0.25, 0.125, 0.125};
    check_top_p(p, 6, 0.5);
    check_top_p(p, 6, 0.6);
    check_top_p(p, 6, 0.7);
}

Test(top_p, tokens_of_probability_zero, .timeout = 10) {
    static const double p[] = {0, 0.75, 0, 0.25, 0};
    check_top_p(p, 5, 0.999999);
    check_top_p(p, 5, 0.7);
}

/* Rounded probabilities may have a sum below p: then all are taken. */
Test(top_p, a_sum_that_stays_below_p, .timeout = 10) {
    static const double p[] = {0.25, 0.25 - 1e-9, 0.25, 0.25 - 1e-9};
    crash_means("scratch is read behind the tokens that are in it: p is not reached, "
                "and there are no more");
    check_top_p(p, 4, 1 - 1e-12);
}

/* 0.5 is less than p, but not as a float. */
Test(top_p, p_is_a_double, .timeout = 10) {
    double p[] = {0.5, 0.3, 0.2};
    TokenProbability scratch[3];
    top_p(p, scratch, 3, 0.5 + 1e-10);
    CHECK(p[1] > 0, "0.5, 0.3, 0.2 and p = 0.5 + 1e-10: only the first stays, though "
                    "0.5 is below p, in double");
}

/* As many tokens as a vocabulary has, with probabilities like ... 1/3, 1/2, 1:
 * a float sum is off by many of them. */
Test(top_p, many_tokens, .timeout = 20) {
    enum { N = 50000 };
    double *p = checked_alloc(N, sizeof *p), sum = 0, kept = 0;
    TokenProbability *scratch = checked_alloc(N, sizeof *scratch);
    for (size_t i = 0; i < N; i++) sum += p[i] = 1.0 / (double)(N - i);
    for (size_t i = 0; i < N; i++) p[i] /= sum;
    size_t expected = 0, got = 0;
    while (kept < 0.95) kept += p[N - ++expected];
    top_p(p, scratch, N, 0.95);
    for (size_t i = 0; i < N; i++) got += p[i] > 0;
    CHECK(got == expected, "%zu of %d tokens are left, expected %zu: %s", got, N,
          expected,
          got + 1 == expected
              ? "does the token that brings the sum to p stay, and is the sum double?"
              : "all are to be sorted, and sums of so many want double");
}

Test(top_p, random_probabilities, .timeout = 10) {
    Random random = random_create(2);
    for (int trial = 0; trial < 500; trial++) {
        double p[MAX], sum = 0;
        size_t n = 1 + random_below(&random, MAX);
        for (size_t i = 0; i < n; i++) sum += p[i] = exp(3 * random_normal(&random));
        for (size_t i = 0; i < n; i++) p[i] /= sum;
        check_top_p(p, n, 0.999 * random_double(&random));
    }
}
