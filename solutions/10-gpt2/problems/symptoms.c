/* One question for each illness. Before you read on: make hint-10 P=symptoms */
#include "10-gpt2/problems/symptoms.h"

#include <math.h>
#include <stdbool.h>

enum { LENGTH = 4 };

/* Whether two questions of one row have the same answer at position `at`, to
 * rounding. */
static bool same_answer(BlackBox *box, const int *a, const int *b, size_t at) {
    float x[LENGTH * BOX_VOCAB], y[LENGTH * BOX_VOCAB];
    black_box_ask(box, a, 1, LENGTH, x);
    black_box_ask(box, b, 1, LENGTH, y);
    for (size_t v = at * BOX_VOCAB; v < (at + 1) * BOX_VOCAB; v++) {
        if (fabsf(x[v] - y[v]) > 1e-3f) return false;
    }
    return true;
}

/* Whether the second row of a batch is answered as if it stood alone. */
static bool rows_are_apart(BlackBox *box, const int *row) {
    float alone[LENGTH * BOX_VOCAB], two[2 * LENGTH * BOX_VOCAB];
    int tokens[2 * LENGTH] = {9, 8, 7, 6};
    for (size_t i = 0; i < LENGTH; i++) tokens[LENGTH + i] = row[i];
    black_box_ask(box, row, 1, LENGTH, alone);
    black_box_ask(box, tokens, 2, LENGTH, two);
    for (size_t v = 0; v < LENGTH * BOX_VOCAB; v++) {
        if (fabsf(two[LENGTH * BOX_VOCAB + v] - alone[v]) > 1e-3f) return false;
    }
    return true;
}

/* Whether a text of one token over and over is answered alike at its start and at its
 * end: there is nothing but positions to tell them apart. */
static bool start_is_like_end(BlackBox *box) {
    const int same[LENGTH] = {7, 7, 7, 7};
    float x[LENGTH * BOX_VOCAB];
    black_box_ask(box, same, 1, LENGTH, x);
    for (size_t v = 0; v < BOX_VOCAB; v++) {
        if (fabsf(x[v] - x[(LENGTH - 1) * BOX_VOCAB + v]) > 1e-3f) return false;
    }
    return true;
}

Illness symptoms(BlackBox *box) {
    const int text[LENGTH] = {1, 2, 3, 4}, other_end[LENGTH] = {1, 2, 3, 5},
              other_start[LENGTH] = {6, 2, 3, 4};
    if (!same_answer(box, text, text, 0)) return DROPOUT_ON;
    if (!same_answer(box, text, other_end, 0)) return NO_MASK;
    if (same_answer(box, text, other_start, LENGTH - 1)) return NO_ATTENTION;
    if (start_is_like_end(box)) return NO_POSITIONS;
    return rows_are_apart(box, text) ? HEALTHY : LEAKING_ROWS;
}
