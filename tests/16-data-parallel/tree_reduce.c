/* Tests of exercise 16/tree_reduce: which parts are added, and in which order. */
#include "16-data-parallel/tree_reduce.h"

#include <stdio.h>
#include <string.h>

#include "check/check.h"

enum { MOST = 17, SIZE = 3 };

/* Sums of these differ in the last bits when their order does. */
static const float *leaf(size_t i) {
    static float *leaves;
    if (!leaves) {
        leaves = normal_floats(MOST * SIZE, 1, 16);
        for (size_t j = 0; j < MOST * SIZE; j++)
            leaves[j] *= j / SIZE % 3 ? 1.0f : 1000.0f;
    }
    return leaves + i * SIZE;
}

/* The tree as it is defined: the left child has the largest power of two of leaves that
 * is not all. */
static float tree(size_t first, size_t n, size_t at) {
    if (n == 1) return leaf(first)[at];
    size_t half = 1;
    while (2 * half < n) half *= 2;
    return tree(first, half, at) + tree(first + half, n - half, at);
}

static float in_order(size_t n, size_t at) {
    float sum = leaf(0)[at];
    for (size_t i = 1; i < n; i++) sum += leaf(i)[at];
    return sum;
}

/* Leaves first .. end - 1 as parts, with numbers of their own. */
static size_t make_parts(Part *parts, float *numbers, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        parts[i - first] = (Part){i, 1, numbers + i * SIZE};
        memcpy(numbers + i * SIZE, leaf(i), SIZE * sizeof *numbers);
    }
    return end - first;
}

/* Of `given` parts: "3 parts are left: 3 to 3, 4 to 5, 6 to 6", or only how many. */
static const char *what_is_left(const Part *parts, size_t n, size_t given) {
    static char words[300];
    size_t used = (size_t)snprintf(words, sizeof words, "%zu parts are left", n);
    for (size_t p = 0; p < n && n <= given && n <= 6; p++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%zu to %zu",
                                 p == 0 ? ": " : ", ", parts[p].first,
                                 parts[p].first + parts[p].count - 1);
    }
    return words;
}

static void check_part(const char *what, const Part *part, size_t first, size_t count) {
    CHECK(part->first == first && part->count == count,
          "%s: the part has micro-batches %zu to %zu, expected %zu to %zu", what,
          part->first, part->first + part->count - 1, first, first + count - 1);
}

Test(tree_reduce, two_leaves, .timeout = 10) {
    float left[2] = {1, 2}, right[2] = {10, 20};
    Part parts[2] = {{0, 1, left}, {1, 1, right}};
    size_t n = tree_reduce(parts, 2, 2, 2);
    CHECK(right[0] == 10 && right[1] == 20,
          "the right part's numbers are changed, from 10 and 20 to %g and %g: the sum "
          "goes to the left part's, "
          "left.sum[i] += right.sum[i]",
          (double)right[0], (double)right[1]);
    CHECK_CLOSE("the left part's numbers", left, ((double[]){11, 22}), 2, 1e-7,
                {"the right part is not added", (double[]){1, 2}},
                {"only the first number is added: i < size", (double[]){11, 2}},
                {"it is an average: each was divided already", (double[]){5.5, 11}});
    CHECK(n == 1, "%s; expected 1", what_is_left(parts, n, 2));
    check_part("micro-batches 0 and 1", &parts[0], 0, 2);
    CHECK(parts[0].sum == left, "the left part's sum points elsewhere");
}

/* Nodes of every level, and trees that are not full. */
Test(tree_reduce, order_of_the_sum, .timeout = 10) {
    for (size_t n = 1; n <= MOST; n++) {
        Part parts[MOST];
        float numbers[MOST * SIZE];
        double right[SIZE], wrong[SIZE];
        size_t left = tree_reduce(parts, make_parts(parts, numbers, 0, n), n, SIZE);
        CHECK(left == 1, "%zu micro-batches, all here: %s; expected 1", n,
              what_is_left(parts, left, n));
        check_part("all micro-batches", &parts[0], 0, n);
        for (size_t at = 0; at < SIZE; at++) {
            right[at] = (double)tree(0, n, at);
            wrong[at] = (double)in_order(n, at);
        }
        CHECK_CLOSE(with_size("the sum of micro-batches", n, SIZE), parts[0].sum, right,
                    SIZE, 1e-9,
                    {"they are added one behind the other, not along the tree", wrong});
    }
}

Test(tree_reduce, only_children_of_one_node, .timeout = 10) {
    Part parts[4];
    float numbers[MOST * SIZE];
    size_t n = tree_reduce(parts, make_parts(parts, numbers, 3, 7), 8, SIZE);
    CHECK(n == 3, "micro-batches 3 4 5 6 of 8: %s; expected 3: 3, 4 5, 6%s",
          what_is_left(parts, n, 4),
          n > 0 && parts[0].first == 3 && parts[0].count > 1
              ? ". Micro-batches 3 and 4 are neighbours, but no children of one node"
              : "");
    check_part("3 4 5 6, first part", &parts[0], 3, 1);
    check_part("3 4 5 6, second part", &parts[1], 4, 2);
    check_part("3 4 5 6, third part", &parts[2], 6, 1);
    CHECK(memcmp(parts[0].sum, leaf(3), SIZE * sizeof(float)) == 0,
          "micro-batch 3 has no sibling here; its numbers are changed");
}

/* On level 1, nodes 1 and 2 are neighbours and of one size, and have different
 * parents. */
Test(tree_reduce, equal_neighbours_of_two_parents, .timeout = 10) {
    Part parts[4];
    float numbers[MOST * SIZE];
    size_t n = tree_reduce(parts, make_parts(parts, numbers, 2, 6), 8, SIZE);
    CHECK(n == 2,
          "micro-batches 2 3 4 5 of 8: %s; expected 2: 2 3 belongs to 0 1, and 4 5 to "
          "6 7",
          what_is_left(parts, n, 4));
    check_part("2 3 4 5, first part", &parts[0], 2, 2);
    check_part("2 3 4 5, second part", &parts[1], 4, 2);
}

Test(tree_reduce, waits_for_the_rest_of_a_sibling, .timeout = 10) {
    Part parts[3];
    float numbers[MOST * SIZE];
    size_t n = tree_reduce(parts, make_parts(parts, numbers, 4, 7), 8, SIZE);
    CHECK(n == 2, "micro-batches 4 5 6 of 8: %s; expected 2: 6 waits for 7",
          what_is_left(parts, n, 3));
}

/* Of 7, micro-batch 6 is all there is of its node, and of 5, micro-batch 4 is. */
Test(tree_reduce, last_node_is_short, .timeout = 10) {
    Part parts[5];
    float numbers[MOST * SIZE];
    size_t n = tree_reduce(parts, make_parts(parts, numbers, 4, 7), 7, SIZE);
    CHECK(n == 1, "micro-batches 4 5 6 of 7: %s; expected 1: there is no 7 to wait for",
          what_is_left(parts, n, 3));
    check_part("4 5 6 of 7", &parts[0], 4, 3);
    n = tree_reduce(parts, make_parts(parts, numbers, 0, 5), 5, SIZE);
    CHECK(n == 1,
          "micro-batches 0 to 4 of 5: %s; expected 1: 4 is alone on every level",
          what_is_left(parts, n, 5));
}

/* The parts of each of P ranks, and then of all: the same bits for every P. */
Test(tree_reduce, any_number_of_ranks, .timeout = 20) {
    for (size_t n = 1; n <= 13; n++) {
        for (size_t n_ranks = 1; n_ranks <= n; n_ranks++) {
            Part parts[MOST];
            float numbers[MOST * SIZE];
            size_t n_parts = 0;
            double right[SIZE];
            for (size_t r = 0; r < n_ranks; r++) {
                size_t first = n * r / n_ranks, end = n * (r + 1) / n_ranks;
                n_parts += tree_reduce(parts + n_parts,
                                       make_parts(parts + n_parts, numbers, first, end),
                                       n, SIZE);
            }
            size_t left = tree_reduce(parts, n_parts, n, SIZE);
            CHECK(left == 1, "%zu micro-batches at %zu ranks: %s; expected 1", n,
                  n_ranks, what_is_left(parts, left, n_parts));
            for (size_t at = 0; at < SIZE; at++) right[at] = (double)tree(0, n, at);
            CHECK_CLOSE("the sum", parts[0].sum, right, SIZE, 1e-9);
        }
    }
}

/* More than any array of fixed size would hold. */
Test(tree_reduce, many_parts_and_numbers, .timeout = 10) {
    enum { MANY = 5000 };
    static Part parts[MANY];
    static float ones[MANY], left[MANY], right[MANY];
    double expected[MANY];
    for (size_t i = 0; i < MANY; i++) {
        ones[i] = 1;
        left[i] = 2;
        right[i] = (float)i;
        parts[i] = (Part){i, 1, ones + i};
        expected[i] = (double)(i + 2);
    }
    size_t n = tree_reduce(parts, MANY, MANY, 1);
    CHECK(n == 1, "5000 micro-batches, all here: %s; expected 1",
          what_is_left(parts, n, MANY));
    check_part("5000 micro-batches", &parts[0], 0, MANY);
    CHECK_NUMBER("the sum of 5000 ones", ones[0], 5000, 1e-7);
    Part two[2] = {{0, 1, left}, {1, 1, right}};
    tree_reduce(two, 2, 2, MANY);
    CHECK_CLOSE("the sum of two parts of 5000 numbers", left, expected, MANY, 1e-7);
}

/* Without numbers: what there will be. */
Test(tree_reduce, list_alone, .timeout = 10) {
    Part parts[3] = {{1, 1, NULL}, {2, 1, NULL}, {3, 1, NULL}};
    crash_means("a number is read though size is 0");
    size_t n = tree_reduce(parts, 3, 4, 0);
    CHECK(n == 2, "micro-batches 1 2 3 of 4: %s; expected 2",
          what_is_left(parts, n, 3));
    check_part("1 2 3, second part", &parts[1], 2, 2);
    CHECK(tree_reduce(parts, 0, 4, 0) == 0, "no parts: something is left");
}
