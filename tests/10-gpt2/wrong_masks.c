/* Tests of a mask that is added to the scores, and of each mistake with it, on the
 * batch that transformers has computed. */
#include "10-gpt2/experiments/wrong_masks.h"

#include <math.h>

#include "10-gpt2/checkpoint.h"
#include "check/check.h"
#include "check/golden.h"

/* Rows of the golden batch: padding in front of the text, and behind it. */
enum { FRONT = 0, BEHIND = 2 };

/* How far the hidden states of the row's tokens are from transformers'; infinity where
 * one is no number. */
static double distance(MaskKind kind, size_t b) {
    static const char family[] = "padding/golden";
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape(family, NULL, "hidden_norm", shape);
    const double *expected = golden(family, NULL, "hidden_norm", NULL);
    const int *mask = golden_int(family, NULL, "mask", NULL);
    Gpt2 *model = gpt2_load(golden_path("tiny_gpt2"), PARAMS_INFER);
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = golden_int(family, NULL, "tokens", NULL),
                       .batch = shape[0],
                       .length = shape[1],
                       .mask = mask};
    const float *got = wrong_mask_hidden(&t, model, &input, kind)->data;
    double worst = 0;
    for (size_t i = b * shape[1] * shape[2]; i < (b + 1) * shape[1] * shape[2]; i++) {
        double off = fabs((double)got[i] - expected[i]);
        if (!mask[i / shape[2]]) continue;
        if (isnan(off)) return INFINITY;
        worst = fmax(worst, off);
    }
    tape_free(&t);
    gpt2_free(model);
    return worst;
}

static void check_right(MaskKind kind, size_t row) {
    double off = distance(kind, row);
    CHECK(off < 1e-4, "%s, row %zu: off by %g", mask_name(kind), row, off);
}

static void check_wrong(MaskKind kind) {
    double off = distance(kind, FRONT);
    CHECK(off > 0.01, "%s: off by %g alone", mask_name(kind), off);
    check_right(kind, BEHIND);
}

Test(wrong_masks, added_to_the_scores, .timeout = 20) {
    check_right(MASK_RIGHT, FRONT);
    check_right(MASK_RIGHT, BEHIND);
    check_right(MASK_FLOAT, FRONT);
}

Test(wrong_masks, half_precision_has_no_minus_1e9, .timeout = 20) {
    cr_assert(isinf(distance(MASK_HALF, FRONT)));
    check_right(MASK_HALF, BEHIND);
}

Test(wrong_masks, a_query_that_sees_nothing_is_0_by_0, .timeout = 20) {
    cr_assert(isinf(distance(MASK_ZERO_BY_ZERO, FRONT)));
    check_right(MASK_ZERO_BY_ZERO, BEHIND);
}

Test(wrong_masks, no_mask, .timeout = 20) {
    check_wrong(MASK_NONE);
}

Test(wrong_masks, queries_are_hidden, .timeout = 20) {
    check_wrong(MASK_QUERIES);
}

Test(wrong_masks, mask_after_the_softmax, .timeout = 20) {
    check_wrong(MASK_AFTER_SOFTMAX);
}

Test(wrong_masks, positions_count_padding, .timeout = 20) {
    check_wrong(MASK_POSITIONS);
}
