/* Tests of sentences of different lengths in one batch. */
#include "06-embeddings/padding.h"

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

enum { BATCH = 3, PLACES = 4, PADDING = 9 };

static void check_rows(const size_t lengths[BATCH], const int *words,
                       const int expected[BATCH * PLACES]) {
    int tokens[BATCH * PLACES + 1];
    tokens[BATCH * PLACES] = 77;
    pad_rows(tokens, words, lengths, BATCH, PLACES, PADDING);
    for (size_t i = 0; i < BATCH * PLACES; i++) {
        CHECK(tokens[i] == expected[i], "tokens[%zu] is %d, expected %d", i, tokens[i],
              expected[i]);
    }
    CHECK(tokens[BATCH * PLACES] == 77, "something was written behind the batch");
}

Test(padding, fills_up_each_row, .timeout = 10) {
    check_rows((const size_t[]){2, 4, 1}, (const int[]){3, 1, 0, 3, 4, 2, 5},
               (const int[]){3, 1, 9, 9, 0, 3, 4, 2, 5, 9, 9, 9});
}

/* A sentence without words reads none, and the next one begins where the last one
 * ended. */
Test(padding, an_empty_sentence_is_padding_alone, .timeout = 10) {
    check_rows((const size_t[]){0, 4, 0}, (const int[]){3, 1, 0, 2},
               (const int[]){9, 9, 9, 9, 3, 1, 0, 2, 9, 9, 9, 9});
}

static void pad(void *lengths) {
    int tokens[BATCH * PLACES];
    pad_rows(tokens, (const int[20]){0}, lengths, BATCH, PLACES, PADDING);
}

Test(padding, refuses_a_sentence_that_does_not_fit, .timeout = 10) {
    expect_exit(0, "", pad, (size_t[]){4, 4, 4});
    expect_exit(EXIT_INPUT, "row 1 has 5 words, the batch has room for 4", pad,
                (size_t[]){4, 5, 4});
}
