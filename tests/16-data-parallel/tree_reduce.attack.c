/* An attack on 16/tree_reduce: the smallest sums, then all ways to cut up to nine
 * leaves in two, against a sum that follows the tree down. */
#include "16-data-parallel/tree_reduce.h"

#include "check/check.h"

static float leaf(size_t i, size_t at) {
    return (i % 2 ? 1.0f : 16777216.0f) * (float)(1 + at + i * i % 5);
}

static float tree(size_t first, size_t n, size_t at) {
    size_t half = 1;
    if (n == 1) return leaf(first, at);
    while (2 * half < n) half *= 2;
    return tree(first, half, at) + tree(first + half, n - half, at);
}

static size_t fill(Part *parts, float numbers[][2], size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        parts[i - first] = (Part){i, 1, numbers[i]};
        for (size_t at = 0; at < 2; at++) numbers[i][at] = leaf(i, at);
    }
    return end - first;
}

/* Checks the parts that stay when micro-batches first .. end - 1 of n are here. */
static void check_list(size_t first, size_t end, size_t n, const size_t *right,
                       size_t n_right) {
    Part parts[9];
    float numbers[9][2];
    size_t left = tree_reduce(parts, fill(parts, numbers, first, end), n, 2);
    CHECK(left == n_right, "%zu to %zu of %zu: %zu parts, expected %zu", first, end, n,
          left, n_right);
    for (size_t k = 0; k < left; k++)
        CHECK(parts[k].first == right[k] && parts[k].first + parts[k].count ==
                                                (k + 1 < left ? right[k + 1] : end),
              "%zu to %zu of %zu: part %zu is %zu and %zu more", first, end, n, k,
              parts[k].first, parts[k].count - 1);
}

Test(attack, lists) {
    check_list(3, 7, 8, (size_t[]){3, 4, 6}, 3);
    check_list(2, 6, 8, (size_t[]){2, 4}, 2);
    check_list(4, 7, 8, (size_t[]){4, 6}, 2);
    check_list(4, 7, 7, (size_t[]){4}, 1);
    check_list(0, 5, 5, (size_t[]){0}, 1);
    check_list(0, 2, 2, (size_t[]){0}, 1);
    Part none[2] = {{0, 1, NULL}, {1, 1, NULL}};
    CHECK(tree_reduce(none, 2, 2, 0) == 1, "without numbers");
}

Test(attack, cut_in_two) {
    for (size_t n = 2; n <= 9; n++) {
        for (size_t cut = 1; cut < n; cut++) {
            Part parts[9];
            float numbers[9][2];
            size_t left = tree_reduce(parts, fill(parts, numbers, 0, cut), n, 2);
            left +=
                tree_reduce(parts + left, fill(parts + left, numbers, cut, n), n, 2);
            CHECK(tree_reduce(parts, left, n, 2) == 1 && parts[0].count == n,
                  "%zu leaves, cut at %zu", n, cut);
            for (size_t at = 0; at < 2; at++)
                CHECK(parts[0].sum[at] == tree(0, n, at),
                      "%zu leaves, cut at %zu: another sum", n, cut);
        }
    }
}

Test(attack, right_part_stays) {
    float left = 1, right = 2;
    Part parts[2] = {{0, 1, &left}, {1, 1, &right}};
    tree_reduce(parts, 2, 2, 1);
    CHECK(left == 3 && right == 2, "1 and 2 give %g and %g", (double)left,
          (double)right);
}
