/* Tests of exercise 19/answer_mask. */
#include "19-fine-tuning/answer_mask.h"

#include "check/check.h"

enum { ROW = 10, NOT_WRITTEN = -7 };

/* What a mistake makes of targets[i] of a row. */
typedef enum {
    RIGHT,
    FIRST_LEFT_OUT, /* of the answer */
    PROMPT_S_LAST,  /* counts, too */
    END_LEFT_OUT,
    ALL,        /* whatever is no padding */
    NOT_MOVED,  /* tokens[i] itself */
    BELOW_ZERO, /* n_prompt - 1 of no prompt is the largest size_t */
    MASK_TURNED /* the prompt in the place of the answer */
} Variation;

static int target(const int *tokens, size_t n, size_t n_prompt, size_t i, Variation v) {
    size_t next = i + 1;
    if (v == FIRST_LEFT_OUT) n_prompt++;
    if (v == PROMPT_S_LAST && n_prompt) n_prompt--;
    if (v == BELOW_ZERO && n_prompt == 0) n = 0;
    if (v == END_LEFT_OUT) n--;
    if (v == ALL) n_prompt = 0;
    bool counts = next < n && (next >= n_prompt) != (v == MASK_TURNED);
    if (v == NOT_MOVED) return i < n && i >= n_prompt ? tokens[i] : IGNORE_TARGET;
    return counts ? tokens[next] : IGNORE_TARGET;
}

static bool is(const int *targets, const int *tokens, size_t n, size_t n_prompt,
               size_t length, Variation v) {
    for (size_t i = 0; i < length; i++) {
        if (targets[i] != target(tokens, n, n_prompt, i, v)) return false;
    }
    return true;
}

static const char *words(Variation v) {
    static const char *const text[] = {
        [FIRST_LEFT_OUT] = "the answer's first token is no target: the prompt's last "
                           "token shall predict it",
        [PROMPT_S_LAST] = "the prompt's last token is a target: the answer begins at "
                          "tokens[n_prompt]",
        [END_LEFT_OUT] =
            "the answer's last token is no target: nothing would teach the "
            "model to stop",
        [ALL] = "the prompt is learned, too: nothing is masked",
        [NOT_MOVED] = "a target is the token itself: targets[i] is what comes after "
                      "tokens[i]",
        [BELOW_ZERO] = "where there is no prompt, nothing is learned: n_prompt - 1 is "
                       "no number below 0, but the largest size_t",
        [MASK_TURNED] = "the prompt is learned, and the answer is not"};
    return text[v];
}

/* The tokens end at a forbidden page. */
static void check_row(const int *tokens, size_t n, size_t n_prompt, size_t length) {
    const int *example = guarded_copy(tokens, n, sizeof *tokens);
    int *targets = guarded_alloc(length, sizeof *targets);
    for (size_t i = 0; i < length; i++) targets[i] = NOT_WRITTEN;
    crash_means("tokens is read behind its end, or targets written there");
    size_t got = answer_mask(targets, example, n, n_prompt, length), counted = 0;
    for (size_t i = 0; i < length; i++) {
        CHECK(targets[i] != NOT_WRITTEN, "targets[%zu] is not written", i);
        counted += target(tokens, n, n_prompt, i, RIGHT) != IGNORE_TARGET;
    }
    for (Variation v = FIRST_LEFT_OUT; v <= MASK_TURNED; v++) {
        bool said = is(targets, tokens, n, n_prompt, length, v) &&
                    !is(targets, tokens, n, n_prompt, length, RIGHT);
        CHECK(!said, "%s", words(v));
    }
    for (size_t i = 0; i < length; i++) {
        int expected = target(tokens, n, n_prompt, i, RIGHT);
        CHECK(targets[i] == expected,
              "targets[%zu] of a row of %zu is %d, expected %d (example of %zu tokens, "
              "%zu of them the prompt's)",
              i, length, targets[i], expected, n, n_prompt);
    }
    CHECK(got == counted, "returns %zu, expected %zu: the targets that count", got,
          counted);
}

static const int tokens[ROW] = {4, 9, 2, 9, 7, 5, 5, 8, 1, 3};

Test(answer_mask, a_prompt_and_its_answer, .timeout = 10) {
    check_row(tokens, 7, 4, 6);
}

Test(answer_mask, padding_is_no_target, .timeout = 10) {
    check_row(tokens, 7, 4, ROW);
}

/* The row ends with the example, in the middle of the answer, or within the prompt. */
Test(answer_mask, short_rows, .timeout = 10) {
    for (size_t length = 1; length < ROW; length++) check_row(tokens, 8, 5, length);
}

Test(answer_mask, answer_of_its_end_alone, .timeout = 10) {
    check_row(tokens, 6, 5, ROW);
}

/* Token 0 has nothing in front of it that could predict it. */
Test(answer_mask, without_a_prompt, .timeout = 10) {
    check_row(tokens, 6, 1, 8);
    check_row(tokens, 6, 0, 8);
}

/* A conversation that was cut before its answer. */
Test(answer_mask, no_answer, .timeout = 10) {
    int targets[ROW];
    for (size_t n = 1; n <= 5; n++) {
        size_t got = answer_mask(targets, tokens, n, 5, ROW);
        for (size_t i = 0; i < ROW; i++)
            CHECK(targets[i] == IGNORE_TARGET,
                  "%zu tokens, all of them the prompt's: targets[%zu] is %d", n, i,
                  targets[i]);
        CHECK(got == 0, "no target counts, and it returns %zu", got);
    }
}

Test(answer_mask, every_size, .timeout = 10) {
    for (size_t n = 1; n <= ROW; n++) {
        for (size_t n_prompt = 1; n_prompt <= n; n_prompt++)
            check_row(tokens, n, n_prompt, ROW);
    }
}
