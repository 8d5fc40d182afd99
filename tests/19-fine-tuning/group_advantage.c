/* Tests of exercise 19/group_advantage. */
#include "19-fine-tuning/group_advantage.h"

#include <math.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/golden.h"

/* What a mistake makes of the advantages. */
typedef enum {
    RIGHT,
    NOT_DIVIDED,
    BY_VARIANCE,
    LESS_ONE, /* the variance is divided by size - 1 */
    ALL_MEAN, /* that of all groups */
    ALL_STD,
    ALL_BOTH,
    NO_MEAN,   /* divided, but not centred */
    ABOUT_ZERO /* the mean of squares in the place of the variance */
} Variation;

static double mean_of(const float *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i];
    return sum / (double)n;
}

static double variance_of(const float *x, size_t n, double about) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += pow((double)x[i] - about, 2);
    return sum / (double)n;
}

static double *advantages(const float *rewards, size_t groups, size_t size,
                          Variation v) {
    size_t all = groups * size;
    double *out = checked_alloc(all, sizeof *out), n = (double)size;
    for (size_t i = 0; i < all; i++) {
        const float *group = rewards + i / size * size;
        double mean = mean_of(group, size), variance = variance_of(group, size, mean),
               all_mean = mean_of(rewards, all);
        if (v == LESS_ONE) variance *= n / (n - 1);
        if (v == ABOUT_ZERO) variance = variance_of(group, size, 0);
        if (v == ALL_STD || v == ALL_BOTH)
            variance = variance_of(rewards, all, all_mean);
        if (v == ALL_MEAN || v == ALL_BOTH) mean = all_mean;
        if (v == NO_MEAN) mean = 0;
        double divisor = v == NOT_DIVIDED   ? 1
                         : v == BY_VARIANCE ? variance
                                            : sqrt(variance);
        out[i] = variance > 0 ? ((double)rewards[i] - mean) / divisor : 0;
    }
    return out;
}

static void check_groups(const float *rewards, size_t groups, size_t size) {
    size_t n = groups * size;
    const float *given = guarded_copy(rewards, n, sizeof *rewards);
    float *got = nan_floats(n);
    crash_means("rewards or advantages is used behind its end");
    group_advantage(got, given, groups, size);
    AXES({"group", "n_groups", groups}, {"answer", "size", size});
    KNOW_AS("rewards", rewards, "group answer");
    CHECK_CLOSE(
        "the advantages", got, advantages(rewards, groups, size, RIGHT), n, 1e-5,
        {"they are not divided by the standard deviation",
         advantages(rewards, groups, size, NOT_DIVIDED)},
        {"they are divided by the variance, not by its root",
         advantages(rewards, groups, size, BY_VARIANCE)},
        {"the variance is divided by size - 1",
         advantages(rewards, groups, size, LESS_ONE)},
        {"the mean is that of all groups: a group is compared with itself alone",
         advantages(rewards, groups, size, ALL_MEAN)},
        {"the standard deviation is that of all groups",
         advantages(rewards, groups, size, ALL_STD)},
        {"mean and standard deviation are those of all groups",
         advantages(rewards, groups, size, ALL_BOTH)},
        {"the mean is not subtracted", advantages(rewards, groups, size, NO_MEAN)},
        {"the variance is taken about 0, not about the mean",
         advantages(rewards, groups, size, ABOUT_ZERO)});
}

static void check_zero(const char *which, const float *rewards, size_t groups,
                       size_t size) {
    float *got = nan_floats(groups * size);
    group_advantage(got, guarded_copy(rewards, groups * size, sizeof *rewards), groups,
                    size);
    for (size_t i = 0; i < groups * size; i++) {
        CHECK(!isnan(got[i]),
              "%s: advantage %zu is NaN, expected 0: it is 0/0, or was not written",
              which, i);
        CHECK(got[i] == 0,
              "%s: advantage %zu is %g, expected exactly 0: the mean is rounded, and a "
              "small number is divided by a small one",
              which, i, (double)got[i]);
    }
}

/* One right answer of four: sqrt(3), and three times -1/sqrt(3). */
Test(group_advantage, one_right_of_four, .timeout = 10) {
    const float rewards[4] = {0, 0, 1, 0};
    check_groups(rewards, 1, 4);
}

Test(group_advantage, two_groups, .timeout = 10) {
    const float rewards[10] = {3, 1, 4, 1.5f, 9, -2, -6, -5, -3.5f, -5.25f};
    check_groups(rewards, 2, 5);
}

/* All answers wrong, or all right. */
Test(group_advantage, equal_rewards, .timeout = 10) {
    const float zeros[6] = {0, 0, 0, 0, 0, 0}, ones[6] = {1, 1, 1, 1, 1, 1};
    check_zero("all rewards are 0", zeros, 2, 3);
    check_zero("all rewards are 1", ones, 1, 6);
}

/* 0.1 has no end in binary, and seven times as much is rounded in float. */
Test(group_advantage, equal_rewards_that_round, .timeout = 10) {
    enum { MOST = 48 };
    float *tenths = equal_floats(MOST, 0.1f), *large = equal_floats(MOST, 1234.567f);
    for (size_t size = 2; size <= MOST; size++) {
        check_zero("all rewards are 0.1", tenths, 1, size);
        check_zero("all rewards are 1234.567", large, 1, size);
    }
}

Test(group_advantage, a_group_of_equals_among_others, .timeout = 10) {
    const float rewards[9] = {1, 0, 1, 1, 1, 1, 0, 0, 1};
    check_groups(rewards, 3, 3);
}

Test(group_advantage, one_answer, .timeout = 10) {
    const float reward[1] = {0.7f};
    check_zero("a group of one", reward, 1, 1);
}

/* A large offset: squares of the rewards themselves would lose the difference. */
Test(group_advantage, far_from_zero, .timeout = 10) {
    const float rewards[4] = {4000.25f, 4000.5f, 4000.25f, 4001};
    check_groups(rewards, 1, 4);
}

Test(group_advantage, small_differences, .timeout = 10) {
    const float rewards[4] = {1e-4f, 3e-4f, 0, 2e-4f};
    check_groups(rewards, 1, 4);
}

Test(group_advantage, many_groups, .timeout = 10) {
    check_groups(normal_floats(33 * 16, 2, 5), 33, 16);
}

Test(group_advantage, pytorch, .timeout = 10) {
    const char *const cases[] = {"right_or_wrong", "graded", "equal_rows", "two"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t shape[SAFETENSORS_MAX_NDIM], n;
        golden_shape("group_advantage", cases[c], "rewards", shape);
        const float *rewards = golden_float("group_advantage", cases[c], "rewards", &n);
        float *got = nan_floats(n);
        group_advantage(got, rewards, shape[0], shape[1]);
        CHECK_CLOSE("PyTorch's advantages", got,
                    golden("group_advantage", cases[c], "advantages", NULL), n, 1e-5);
    }
}
