/* Tests of exercise 09/bpe_encode: words made by hand,
 * random words against the given slow encoder, and how the work grows. */
#include "09-tokenizer/bpe_encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_scan.h"
#include "check/check.h"
#include "check/guarded.h"
#include "base/memory.h"
#include "math/random.h"
#include "check/sanitizer.h"
#include "letter_language.h"
#include "wrong_encoders.h"

/* The changed rules that give these tokens, joined by ", or "; the others are ruled
 * out, once each. */
static void rules_that_give(const Language *l, const char *word, const int *got,
                            size_t n_got, char fits[1000]) {
    static bool ruled_out[N_WRONG];
    int tokens[LONGEST_WORD];
    fits[0] = 0;
    for (Wrong w = 0; w < N_WRONG; w++) {
        if (ruled_out[w]) continue;
        size_t n = encode_wrongly(tokens, bytes_as_tokens(tokens, word), &l->merges, w);
        if (n != n_got || memcmp(tokens, got, n * sizeof *got) != 0) {
            rule_out(wrong_words[w]);
            ruled_out[w] = true;
        } else {
            size_t used = strlen(fits);
            snprintf(fits + used, 1000 - used, "%s%s", used ? ", or " : "",
                     wrong_words[w]);
        }
    }
}

/* Whether the spellings of the tokens, one behind the other, are the word. */
static bool spells(const Language *l, const int *tokens, size_t n, const char *word) {
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] < 0 || tokens[i] >= l->n_tokens) return false;
        size_t length = strlen(l->spelling[tokens[i]]);
        if (strncmp(word, l->spelling[tokens[i]], length) != 0) return false;
        word += length;
    }
    return *word == 0;
}

/* A message on tokens that no listed mistake gives, or NULL. `got` is the whole word's
 * memory. */
static const char *told_by_tokens(const Language *l, const int *got, size_t n_got,
                                  const int *expected, size_t n_expected,
                                  const char *word) {
    if (n_got != n_expected && memcmp(got, expected, n_expected * sizeof *got) == 0)
        return "; the tokens are right, the number that is returned is not how many "
               "are left";
    for (size_t i = 0; i < n_got; i++) {
        if (got[i] < 0) return "; the gaps of merged tokens are not closed";
        if (got[i] >= l->n_tokens)
            return "; there is a token that no merge makes: it must be m->merged";
    }
    /* In any order of merges the tokens spell the word, if the tokens of all pairs
     * do. */
    if (spells(l, got, n_got, word) || !spells(l, expected, n_expected, word))
        return NULL;
    return "; they spell another word: a pair that waited was merged though its left "
           "or its right token had "
           "been merged away, or a token was lost";
}

/* Encodes the word and compares with what the given encoder says. `asks` is what the
 * word was made to find out; a failure says it unless the result is that of a changed
 * rule, or spells another word. */
static void check_word(const Language *l, const char *word, const char *asks) {
    int got[LONGEST_WORD], expected[LONGEST_WORD];
    char got_text[1000], expected_text[1000], fits[1000];
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, strlen(word));
    size_t n_got = bpe_encode(got, bytes_as_tokens(got, word), &l->merges, &scratch);
    size_t n_expected =
        bpe_encode_by_scanning(expected, bytes_as_tokens(expected, word), &l->merges);
    bpe_scratch_free(&scratch);
    size_t n_shown = n_got < LONGEST_WORD ? n_got : LONGEST_WORD;
    rules_that_give(l, word, got, n_shown, fits);
    if (n_got == n_expected && memcmp(got, expected, n_got * sizeof *got) == 0) return;
    const char *told = told_by_tokens(l, got, n_shown, expected, n_expected, word);
    const char *before =
        strstr(fits, ", or ") ? "; perhaps " : "; this is what you get when ";
    const char *intro = "; this word asks whether ", *rest = asks;
    if (told) {
        intro = told;
        rest = "";
    }
    if (fits[0]) {
        intro = before;
        rest = fits;
    }
    cr_assert_fail("%s: got %s (%zu tokens), expected %s (%zu)%s%s", word,
                   spell(l, got, n_shown, got_text), n_got,
                   spell(l, expected, n_expected, expected_text), n_expected, intro,
                   rest);
}

Test(bpe_encode, lowest_rank_first, .timeout = 10) {
    static const char asks[] =
        "the lowest rank goes first and the gaps of merged tokens are closed";
    Language l = language("l o,a b,b c,lo w,e r");
    check_word(&l, "lower", asks); /* low|er */
    check_word(&l, "abc", asks);   /* ab|c: (a, b) is older than (b, c) */
    Language reversed = language("b c,a b");
    check_word(&reversed, "abc", asks); /* a|bc */
    check_word(&reversed, "abcab", asks);
}

Test(bpe_encode, leftmost_of_equal_pairs, .timeout = 10) {
    static const char asks[] = "of equal pairs the leftmost goes first";
    Language l = language("a a");
    check_word(&l, "aaa", asks); /* aa|a */
    check_word(&l, "aaaaa", asks);
    check_word(&l, "baaab", asks);
    Language twice = language("a a,aa aa");
    /* aaaa|aa|a */
    check_word(&twice, "aaaaaaa", "merged tokens are paired with both neighbours");
}

Test(bpe_encode, new_pair_on_the_right, .timeout = 10) {
    static const char asks[] =
        "a merged token is paired with its neighbour on the right";
    Language l = language("a b,ab c,abc d,y z");
    check_word(&l, "abcdyz", asks); /* abcd|yz */
    check_word(&l, "xabcdabx", asks);
}

Test(bpe_encode, new_pair_on_the_left, .timeout = 10) {
    static const char asks[] =
        "a merged token is paired with its neighbour on the left";
    Language l = language("c d,b cd,a bcd,y z,abcd yz");
    check_word(&l, "abcdyz", asks);
    check_word(&l, "abcd", asks);
    check_word(&l, "xabcdabcdx", asks);
}

/* (a, b) merges first, so that c's neighbour on the left is no longer b. */
Test(bpe_encode, merged_neighbour_on_the_left, .timeout = 10) {
    static const char asks[] =
        "the list is linked backwards over a token that was taken in";
    Language l = language("a b,c d,ab cd");
    check_word(&l, "abcd", asks);
    check_word(&l, "abcdabcd", asks);
}

/* After (b, c) there is no (a, b) and no (c, d), which are still waiting; and (a, bc),
 * which is there instead, has to wait for its own turn, behind (z, a). */
Test(bpe_encode, waiting_pairs_that_are_gone, .timeout = 10) {
    static const char asks[] = "a pair that is gone when its turn comes is left alone";
    Language l = language("b c,a b,c d,ab cd,d e");
    check_word(&l, "abcd", asks); /* a|bc|d */
    check_word(&l, "abcde", asks);
    check_word(&l, "abab", asks);
    check_word(&l, "cdabcd", asks);
    Language replaced = language("b c,a b,z a,a bc");
    check_word(&replaced, "zabc", asks); /* za|bc */
}

/* (a, b) takes in b, and (b, c), which is still waiting, starts there. What that
 * changes shows when (c, de) is looked for, to the left of de. */
Test(bpe_encode, what_was_taken_in_merges_no_more, .timeout = 10) {
    static const char asks[] = "a place that was taken in merges no more, though a "
                               "pair that begins there may still wait";
    Language l = language("a b,b c,d e,c de,w z,y wz");
    /* ab|cde|ywz; ywz shows that neighbours on the left are found */
    check_word(&l, "abcdeywz", asks);
}

/* Two pairs may give one token, so that it tells nothing of a rank: (c, d) gives ab,
 * and goes behind (b, c). And a merge may make a pair that is older than itself: (ab,
 * c) goes before the next (c, d). */
Test(bpe_encode, a_merge_makes_an_older_pair, .timeout = 10) {
    Language ranks = language("a b,b c");
    merge_table_add(&ranks.merges, 'c', 'd', token_of(&ranks, "ab"));
    /* bc|d */
    check_word(&ranks, "bcd", "the rank decides, whatever number the merged token has");
    Language l = language("a b,ab c,a a,b e");
    merge_table_add(&l.merges, 'c', 'd', token_of(&l, "ab"));
    static const char asks[] =
        "the pairs that a merge makes are looked at before the next merge";
    check_word(&l, "cdcdaaaxabe", asks); /* abc|d|aa|a|x|ab|e */
}

Test(bpe_encode, nothing_to_merge, .timeout = 10) {
    static const char asks[] = "a word without a merge stays as it is";
    Language l = language("a b");
    check_word(&l, "", asks);
    check_word(&l, "a", asks);
    check_word(&l, "ba", asks);
    check_word(&l, "acbca", asks);
    check_word(&(Language){.n_tokens = 256}, "ab", asks);
}

/* Every byte is a token, 0 and 1 too: what stands where a token was taken in must be
 * none of them, and none of them is left out. After (a, byte) there is no (byte, b),
 * which is still waiting. */
Test(bpe_encode, any_byte_is_a_token, .timeout = 10) {
    for (int byte = 0; byte < 2; byte++) {
        MergeTable merges = {0};
        merge_table_add(&merges, 'a', byte, 256);
        merge_table_add(&merges, byte, 'b', 257);
        int tokens[] = {'a', byte, 'b', byte};
        BpeScratch scratch = {0};
        bpe_scratch_reserve(&scratch, 4);
        size_t n = bpe_encode(tokens, 4, &merges, &scratch);
        CHECK(n == 3 && tokens[0] == 256 && tokens[1] == 'b' && tokens[2] == byte,
              "a, byte %d, b, byte %d with (a, %d) merged first: got %zu tokens, %d %d "
              "%d, expected 3, 256 98 "
              "%d: byte %d is a token like any other",
              byte, byte, byte, n, tokens[0], tokens[1], tokens[2], byte, byte);
        bpe_scratch_free(&scratch);
        merge_table_free(&merges);
    }
}

/* Random merges over three letters, random words: for cases missing above. */
Test(bpe_encode, random_words, .timeout = 10) {
    Random random = random_create(9);
    for (int trial = 0; trial < 200; trial++) {
        Language l = {.n_tokens = 256};
        for (int i = 1; i < 256; i++) l.spelling[i][0] = (char)i;
        for (int m = 0; m < 12; m++) {
            int parts[2];
            /* one of the letters, or of the tokens made so far */
            for (int i = 0; i < 2; i++) {
                uint32_t pick = random_below(&random, (uint32_t)(3 + l.n_tokens - 256));
                parts[i] = pick < 3 ? (int)('a' + pick) : (int)(256 + pick - 3);
            }
            if (merge_table_find(&l.merges, parts[0], parts[1])) continue;
            snprintf(l.spelling[l.n_tokens], sizeof l.spelling[0], "<%d>", l.n_tokens);
            merge_table_add(&l.merges, parts[0], parts[1], l.n_tokens++);
        }
        for (int word = 0; word < 20; word++) {
            char letters[61] = {0};
            size_t n = 1 + random_below(&random, 60);
            for (size_t i = 0; i < n; i++)
                letters[i] = (char)('a' + random_below(&random, 3));
            check_word(&l, letters, "everything together is right");
        }
        merge_table_free(&l.merges);
    }
}

/* One scratch serves many words: what the last one left in it must not matter. */
Test(bpe_encode, scratch_is_used_again, .timeout = 10) {
    Language l = language("a b,c d,ab cd,e e");
    static const char *const words[] = {"abcdabcd", "ab", "eeeee", "cdab",
                                        "abcdeabcde"};
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, 20);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int got[20], expected[20];
        char got_text[1000], expected_text[1000];
        size_t n = bpe_encode(got, bytes_as_tokens(got, words[i]), &l.merges, &scratch);
        size_t m = bpe_encode_by_scanning(expected, bytes_as_tokens(expected, words[i]),
                                          &l.merges);
        CHECK(n == m && memcmp(got, expected, n * sizeof *got) == 0,
              "%s: got %s, expected %s%s", words[i], spell(&l, got, n, got_text),
              spell(&l, expected, m, expected_text),
              i == 0 ? ""
                     : "; what an earlier word left in the scratch must not matter");
    }
}

/* Once (b, c) and (a, bc) are merged, the last token stands at a, where (a, b) is still
 * waiting. */
Test(bpe_encode, nothing_behind_the_word_is_used, .timeout = 10) {
    enum { N = 3 };
    Language l = language("b c,a bc,a b");
    int *tokens = guarded_alloc(N, sizeof *tokens);
    BpeScratch scratch = {.next = guarded_alloc(N, sizeof *scratch.next),
                          .previous = guarded_alloc(N, sizeof *scratch.previous)};
    crash_means("a place behind the word's last token is used: tokens, next and "
                "previous have n elements");
    size_t n = bpe_encode(tokens, bytes_as_tokens(tokens, "abc"), &l.merges, &scratch);
    CHECK(n == 1, "abc: got %zu tokens, expected 1", n);
    free(tokens);
    free(scratch.next);
    free(scratch.previous);
    heap_free(&scratch.queue);
}

/* Merged tokens that grow to the right and to the left, far behind the beginning of a
 * word. */
Test(bpe_encode, thousands_of_letters, .timeout = 10) {
    enum { TIMES = 1500, LETTERS = 6, N = TIMES * LETTERS };
    Language l = language("a b,ab c,e f,d ef");
    int *tokens = checked_alloc(N, sizeof *tokens);
    for (int i = 0; i < TIMES; i++) bytes_as_tokens(tokens + i * LETTERS, "abcdef");
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, N);
    size_t n = bpe_encode(tokens, N, &l.merges, &scratch);
    for (size_t i = 0; i < n; i++) {
        char got[1000];
        const char *expected = i % 2 ? "def" : "abc";
        CHECK(tokens[i] == token_of(&l, expected),
              "abcdef %d times: token %zu is %s, expected %s%s", TIMES, i,
              spell(&l, tokens + i, 1, got), expected,
              i < 2 ? ""
                    : " as at the beginning: does something inside have a fixed size?");
    }
    CHECK(n == 2 * TIMES, "abcdef %d times: got %zu tokens, expected %d", TIMES, n,
          2 * TIMES);
    bpe_scratch_free(&scratch);
    free(tokens);
}

/* All pairs of 128 bytes have a merge, in random order of rank; so a long random word
 * takes thousands of different merges, one here and one there. */
static MergeTable many_merges(Random *random) {
    enum { N = 128 };
    static int order[N * N];
    for (int i = 0; i < N * N; i++) {
        int j = (int)random_below(random, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    MergeTable merges = {0};
    for (int i = 0; i < N * N; i++)
        merge_table_add(&merges, order[i] / N, order[i] % N, 256 + i);
    return merges;
}

/* The linker leads the exercise's calls of merge_table_find here (COUNTED in the
 * Makefile). */
const Merge *__wrap_merge_table_find(const MergeTable *merges, int left, int right);

static size_t look_ups;

const Merge *__wrap_merge_table_find(const MergeTable *merges, int left, int right) {
    look_ups++;
    return merge_table_find(merges, left, right);
}

/* Encodes a random word of n letters; returns how many tokens are left, and counts
 * look-ups anew. */
static size_t encode_letters(size_t n, const MergeTable *merges, Random *random) {
    int *word = checked_alloc(n, sizeof *word);
    for (size_t i = 0; i < n; i++) word[i] = (int)random_below(random, 128);
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, n);
    look_ups = 0;
    size_t left = bpe_encode(word, n, merges, &scratch);
    bpe_scratch_free(&scratch);
    free(word);
    return left;
}

/* 16 times the length: about 16 times the look-ups with a queue, 256 times with a scan
 * for each merge. They are counted, not timed: another program that runs at the time
 * makes no difference. */
Test(bpe_encode, work_grows_with_the_length_not_its_square, .timeout = 60) {
    Random random = random_create(3);
    MergeTable merges = many_merges(&random);
    encode_letters(1000, &merges, &random);
    size_t few = look_ups;
    encode_letters(16000, &merges, &random);
    if (!look_ups) cr_skip_test("calls of merge_table_find are not counted here");
    CHECK(look_ups < 80 * few,
          "16 times as many letters take %.0f times as many look-ups (%zu, %zu): this "
          "is what you get when the "
          "whole word is looked through for every merge",
          (double)look_ups / (double)few, few, look_ups);
}

/* A sanitizer's eighth of that takes as long. Shorter ones go before, to say how long a
 * word may be. */
Test(bpe_encode, a_word_of_a_million_letters, .timeout = 60) {
#ifdef __SANITIZE_ADDRESS__
    enum { N = 1 << 17 };
#else
    enum { N = 1 << 20 };
#endif
    Random random = random_create(4);
    MergeTable merges = many_merges(&random);
    size_t right = 0;
    for (size_t n = N / 64; n <= N; n *= 4) {
        size_t n_tokens = encode_letters(n, &merges, &random);
        char text[100] = "";
        if (right)
            snprintf(text, sizeof text,
                     "; %zu are right: does a place or a size not fit its type?",
                     right);
        CHECK(n_tokens > n / 2 && n_tokens < n / 10 * 7,
              "%zu random letters became %zu tokens, expected about %zu%s", n, n_tokens,
              n / 10 * 6, text);
        right = n;
    }
}
