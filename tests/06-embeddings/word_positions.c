/* Tests of exercise 06/word_positions: pieces of sentences, and padding on either
 * side. */
#include "06-embeddings/word_positions.h"

#include "base/memory.h"
#include "check/check.h"

typedef enum {
    RIGHT,
    COLUMN,        /* the column of the batch: padding counts */
    FROM_ONE,      /* the first word has position 1 */
    NO_FIRST,      /* every piece begins at 0 */
    FIRST_OF_0,    /* all rows begin where row 0 does */
    RUNS_ON,       /* the count goes on from row to row */
    STARTS_OVER,   /* padding sets the count back */
    KEPT,          /* padding has the id of the next word */
    FIRST_AT_WORD, /* first[b] moves the id but padding's too */
} Variation;

static double *plain(const int *tokens, const size_t *first, size_t batch,
                     size_t length, int padding, Variation v) {
    double *ids = checked_alloc(batch * length, sizeof *ids), words = 0;
    for (size_t b = 0; b < batch; b++) {
        double start = !first || v == NO_FIRST ? 0
                       : v == FIRST_OF_0       ? (double)first[0]
                                               : (double)first[b];
        words = v == RUNS_ON && b > 0 ? words : start;
        for (size_t i = 0; i < length; i++) {
            double *id = &ids[b * length + i];
            bool is_padding = tokens && tokens[b * length + i] == padding;
            if (v == COLUMN) {
                *id = start + (double)i;
            } else if (is_padding) {
                *id = v == KEPT ? words : v == FIRST_AT_WORD ? start : 0;
                if (v == STARTS_OVER) words = 0;
            } else {
                *id = words + (v == FROM_ONE);
                words++;
            }
        }
    }
    return ids;
}

static void check_ids(const int *tokens, const size_t *first, size_t batch,
                      size_t length, int padding) {
    size_t n = batch * length;
    int *ids = checked_alloc(n, sizeof *ids);
    float *got = checked_alloc(n, sizeof *got);
    for (size_t i = 0; i < n; i++) ids[i] = -77;
    word_positions(ids, tokens, first, batch, length, padding);
    for (size_t i = 0; i < n; i++) got[i] = (float)ids[i];
    AXES({"sentence", "batch", batch}, {"place", "length", length});
    know_shape("ids", "sentence place");
#define PLAIN(v) plain(tokens, first, batch, length, padding, v)
    CHECK_CLOSE(
        "ids", got, PLAIN(RIGHT), n, 1e-9,
        {"padding is counted: a position is the number of words before, not the column",
         PLAIN(COLUMN)},
        {"positions are counted from 1", PLAIN(FROM_ONE)},
        {"a piece begins at position 0: first[b] words came before it",
         PLAIN(NO_FIRST)},
        {"every row begins at first[0]: each sentence has its own", PLAIN(FIRST_OF_0)},
        {"the count goes on from row to row: each row is another sentence",
         PLAIN(RUNS_ON)},
        {"the count starts over behind padding: its words are of the same sentence",
         PLAIN(STARTS_OVER)},
        {"padding has the id of a word: it must be 0", PLAIN(KEPT)},
        {"padding has the id first[b]: it must be 0", PLAIN(FIRST_AT_WORD)});
#undef PLAIN
}

enum { PAD = 9 };

Test(word_positions, whole_sentences, .timeout = 10) {
    check_ids((const int[]){4, 2, 2, 1, 0, 3}, NULL, 2, 3, PAD);
}

/* Each row is the next piece of a sentence of its own. */
Test(word_positions, pieces, .timeout = 10) {
    check_ids((const int[]){4, 2, 2, 1, 0, 3}, (const size_t[]){5, 2}, 2, 3, PAD);
}

Test(word_positions, padding_behind, .timeout = 10) {
    check_ids((const int[]){4, 2, PAD, PAD, 1, 0, 3, 5}, NULL, 2, 4, PAD);
}

Test(word_positions, padding_in_front, .timeout = 10) {
    check_ids((const int[]){PAD, PAD, 4, 2, 1, 0, 3, 5}, NULL, 2, 4, PAD);
}

/* A prompt with padding in front, and then a piece with padding behind and between. */
Test(word_positions, pieces_with_padding, .timeout = 10) {
    check_ids((const int[]){PAD, 4, 2, 1, 0, PAD, PAD, 5, 6, 7, 8, PAD},
              (const size_t[]){3, 11, 4}, 3, 4, PAD);
}

/* tokens and first may be NULL. */
Test(word_positions, no_tokens, .timeout = 10) {
    crash_means("tokens is read though it is NULL");
    check_ids(NULL, (const size_t[]){2, 0}, 2, 3, PAD);
    check_ids(NULL, NULL, 2, 3, PAD);
}

/* Padding is what the argument says: token 0 is a word where 9 is padding, and a
 * negative padding is no token at all. */
Test(word_positions, any_token_may_be_padding, .timeout = 10) {
    check_ids((const int[]){0, 1, 0, 2}, NULL, 1, 4, PAD);
    check_ids((const int[]){0, 1, 0, 2}, NULL, 1, 4, 0);
    check_ids((const int[]){0, 1, 0, 2}, NULL, 1, 4, -1);
}

/* One sentence gets the same positions however it comes: whole, in pieces, and behind
 * padding. */
Test(word_positions, however_it_comes, .timeout = 10) {
    const int padded[7] = {PAD, PAD, 3, 1, 4, 1, 5};
    int whole[5], pieces[5], behind[7];
    word_positions(whole, padded + 2, NULL, 1, 5, PAD);
    word_positions(pieces, padded + 2, NULL, 1, 2, PAD);
    word_positions(pieces + 2, padded + 4, (const size_t[]){2}, 1, 3, PAD);
    word_positions(behind, padded, NULL, 1, 7, PAD);
    for (int i = 0; i < 5; i++) {
        CHECK(
            whole[i] == i && pieces[i] == i && behind[i + 2] == i,
            "word %d of five is at %d in the whole sentence, at %d in pieces of 2 and "
            "3, at %d behind padding: expected %d three times",
            i, whole[i], pieces[i], behind[i + 2], i);
    }
}

Test(word_positions, thousands, .timeout = 10) {
    enum { BATCH = 3, LENGTH = 100003 };
    int *tokens = checked_alloc(BATCH * LENGTH, sizeof *tokens);
    for (size_t i = 0; i < BATCH * LENGTH; i++) tokens[i] = i % 7 == 3 ? PAD : 1;
    check_ids(tokens, (const size_t[]){0, 70000, 1}, BATCH, LENGTH, PAD);
    check_ids(tokens, NULL, 5003, 7, PAD);
}
