/* Tests of exercise 09/bpe_train: small texts made by hand, counts that must stay true,
 * and a larger text. */
#include "09-tokenizer/bpe_train.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "math/random.h"
#include "words.h"

/* Counts all pairs from scratch, without the exercise. */
static int64_t recount(const Text *t, Pair pair) {
    int64_t count = 0;
    for (size_t w = 0; w < t->n; w++) {
        for (size_t i = 0; i + 1 < t->words[w].n; i++) {
            const int *at = t->words[w].tokens + i;
            if (at[0] == pair.left && at[1] == pair.right) count += t->words[w].times;
        }
    }
    return count;
}

/* Every pair of two known tokens has the count that counting anew gives. */
static void check_counts(const PairCounts *pairs, const Text *t, int n_tokens,
                         const char *when) {
    for (int a = 'a'; a < n_tokens; a++) {
        for (int b = 'a'; b < n_tokens; b++) {
            if (a == 'z' + 1) a = 256;
            if (b == 'z' + 1) b = 256;
            int64_t got = pair_counts_get(pairs, (Pair){a, b}),
                    expected = recount(t, (Pair){a, b});
            CHECK(got == expected,
                  "%s: the pair (%d, %d) has the count %" PRId64
                  ", counted anew it is %" PRId64 "%s",
                  when, a, b, got, expected,
                  got > expected ? ": a pair that is no longer there was not taken "
                                   "off, or not as often as its word occurs"
                                 : ": a pair was not counted, or not as often as its "
                                   "word occurs, or taken off too often");
        }
    }
}

static void count_all(PairCounts *pairs, const Text *t) {
    for (size_t w = 0; w < t->n; w++) bpe_count_word(pairs, &t->words[w], w);
}

/* One merge in all words, as bpe_train does it. */
static void merge_all(PairCounts *pairs, Text *t, Pair pair, int merged) {
    for (size_t w = 0; w < t->n; w++)
        bpe_merge_word(pairs, &t->words[w], w, pair, merged);
}

/* Whether the pair is in the queue, with any count. */
static bool waits(const PairCounts *pairs, Pair wanted) {
    for (size_t i = 0; i < pairs->queue.n; i++) {
        Pair pair = pair_of_item(pairs->queue.items[i]);
        if (pair.left == wanted.left && pair.right == wanted.right) return true;
    }
    return false;
}

static void expect_best(PairCounts *pairs, int64_t min_count, int left, int right,
                        const char *why) {
    Pair best = {-1, -1};
    bool found = bpe_best_pair(pairs, min_count, &best);
    CHECK(found || !waits(pairs, (Pair){left, right}),
          "bpe_best_pair finds none, though (%d, %d) waits in the queue: a pair that "
          "comes out first and "
          "occurs "
          "too seldom is left out, and the next one is looked at",
          left, right);
    CHECK(found, "bpe_best_pair finds none, expected (%d, %d): %s", left, right, why);
    CHECK(best.left == left && best.right == right,
          "the best pair is (%d, %d), expected (%d, %d): %s", best.left, best.right,
          left, right, why);
}

Test(bpe_train, counting_a_word, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("abcab*3,x,aaa*5");
    count_all(&pairs, &t);
    int64_t ab = pair_counts_get(&pairs, (Pair){'a', 'b'}),
            aa = pair_counts_get(&pairs, (Pair){'a', 'a'});
    CHECK(ab == 6, "(a, b) in 3 times abcab: got %" PRId64 ", expected 6%s", ab,
          ab == 2
              ? "; this is what you get when a word counts once however often it occurs"
              : "");
    CHECK(aa == 10,
          "(a, a) in 5 times aaa: got %" PRId64
          ", expected 10: pairs that overlap count too",
          aa);
    check_counts(&pairs, &t, 'z' + 1, "after counting");
}

Test(bpe_train, most_frequent_pair, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("ab*3,cd*5,ef*4");
    count_all(&pairs, &t);
    expect_best(&pairs, 2, 'c', 'd', "it occurs 5 times");
}

Test(bpe_train, equal_counts, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("zb*3,az*3,ay*3");
    count_all(&pairs, &t);
    expect_best(&pairs, 2, 'a', 'y',
                "of equal counts the smaller left token goes first, then the smaller "
                "right one");
}

Test(bpe_train, min_count, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("ab*2,cd");
    count_all(&pairs, &t);
    expect_best(&pairs, 2, 'a', 'b', "it occurs min_count times, and that is enough");
    Pair best;
    pair_counts_add(&pairs, 'a', 'b', -2, 0);
    CHECK(!bpe_best_pair(&pairs, 2, &best),
          "bpe_best_pair returns (%d, %d), which occurs once; min_count is 2",
          best.left, best.right);
}

/* `why` says what decides here. */
static void check_merged(const char *word, Pair pair, const char *expected,
                         const char *why) {
    PairCounts pairs = {0};
    Text t = text(word);
    count_all(&pairs, &t);
    merge_all(&pairs, &t, pair, 256);
    CHECK(strcmp(word_text(t.words), expected) == 0,
          "%s with %c %c merged: got %s, expected %s: %s", word, pair.left, pair.right,
          word_text(t.words), expected, why);
    char when[100];
    snprintf(when, sizeof when, "after merging %c %c in %s", pair.left, pair.right,
             word);
    check_counts(&pairs, &t, 257, when);
}

Test(bpe_train, merging_in_the_middle, .timeout = 10) {
    static const char why[] = "word->n says how many tokens are left";
    check_merged("xaby", (Pair){'a', 'b'}, "x <256> y", why);
    check_merged("xaby*4", (Pair){'a', 'b'}, "x <256> y", why);
    check_merged("xyz", (Pair){'a', 'b'}, "x y z", why);
}

Test(bpe_train, merging_at_the_ends, .timeout = 10) {
    static const char why[] = "at an end there is one neighbour less";
    check_merged("abx", (Pair){'a', 'b'}, "<256> x", why);
    check_merged("xab", (Pair){'a', 'b'}, "x <256>", why);
    check_merged("ab", (Pair){'a', 'b'}, "<256>", why);
    check_merged("a", (Pair){'a', 'b'}, "a", why);
}

Test(bpe_train, merging_side_by_side, .timeout = 10) {
    static const char why[] = "two merges may be neighbours";
    check_merged("abab", (Pair){'a', 'b'}, "<256> <256>", why);
    check_merged("xababaaby", (Pair){'a', 'b'}, "x <256> <256> a <256> y", why);
}

Test(bpe_train, merging_pairs_that_overlap, .timeout = 10) {
    static const char why[] = "a token that was merged just now is not merged again";
    check_merged("aaa", (Pair){'a', 'a'}, "<256> a", why);
    check_merged("aaaa", (Pair){'a', 'a'}, "<256> <256>", why);
    check_merged("baaaaab", (Pair){'a', 'a'}, "b <256> <256> a b", why);
}

/* The counts fall while the pair is waiting: (a, b) is queued with 9,
 * and 4 are left after (b, c) is merged. */
Test(bpe_train, counts_that_have_fallen, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("abc*5,ab*4,bc*7,de*6");
    count_all(&pairs, &t);
    expect_best(&pairs, 2, 'b', 'c', "it occurs 12 times");
    merge_all(&pairs, &t, (Pair){'b', 'c'}, 256);
    expect_best(&pairs, 2, 'd', 'e',
                "it occurs 6 times; (a, b) has fallen from 9 to 4");
    merge_all(&pairs, &t, (Pair){'d', 'e'}, 257);
    expect_best(&pairs, 2, 'a', 256, "it occurs 5 times");
    merge_all(&pairs, &t, (Pair){'a', 256}, 258);
    expect_best(&pairs, 2, 'a', 'b',
                "4 of its 9 are left: a count that has fallen must stay in the queue");
}

/* The words in which the pair was counted are one, which has this number. */
static void check_words(PairCounts *pairs, Pair pair, size_t expected) {
    size_t *words, n = pair_counts_take_words(pairs, pair, &words);
    CHECK(n == 1 && words[0] == expected,
          "the pair (%d, %d) is listed in %zu words, first in number %zu, expected "
          "only in number %zu: "
          "`index` is the "
          "number of the word",
          pair.left, pair.right, n, n ? words[0] : 0, expected);
    free(words);
}

Test(bpe_train, words_are_listed_by_their_number, .timeout = 10) {
    enum { INDEX = 5003 };
    PairCounts pairs = {0};
    Text t = text("xaby");
    bpe_count_word(&pairs, t.words, INDEX);
    check_words(&pairs, (Pair){'a', 'b'}, INDEX);
    bpe_merge_word(&pairs, t.words, INDEX, (Pair){'a', 'b'}, 256);
    check_words(&pairs, (Pair){'x', 256}, INDEX);
    check_words(&pairs, (Pair){256, 'y'}, INDEX);
}

/* A large text: a word may occur more often than an int can say. */
Test(bpe_train, more_than_an_int_holds, .timeout = 10) {
    PairCounts pairs = {0};
    Text t = text("abab,cd*9");
    t.words[0].times = (int64_t)1 << 32;
    count_all(&pairs, &t);
    int64_t got = pair_counts_get(&pairs, (Pair){'b', 'a'});
    CHECK(got == t.words[0].times,
          "(b, a) in 2^32 times abab: got %" PRId64 ", expected 2^32: no int holds it",
          got);
    expect_best(&pairs, 2, 'a', 'b',
                "it occurs 2^33 times, which no int holds: take int64_t");
    merge_all(&pairs, &t, (Pair){'a', 'b'}, 256);
    check_counts(&pairs, &t, 257, "after merging a b in 2^32 times abab");
}

/* Learns n merges and compares them, "l+o,lo+w", tokens by their spelling. */
static void check_training(const char *description, size_t n_merges,
                           const char *expected) {
    Text t = text(description);
    StringTable tokens = {0};
    for (int b = 0; b < 256; b++) string_table_add(&tokens, &(char){(char)b}, 1);
    MergeTable merges = {0};
    bpe_train(&merges, &tokens, t.words, t.n, 256 + n_merges, 2);
    char got[500] = "";
    for (size_t i = 0, used = 0; i < merges.n && used < 450; i++) {
        size_t n_left, n_right;
        const char *left =
            string_table_get(&tokens, (size_t)merges.items[i].left, &n_left);
        const char *right =
            string_table_get(&tokens, (size_t)merges.items[i].right, &n_right);
        used += (size_t)snprintf(got + used, 500 - used, "%s%.*s+%.*s", i ? "," : "",
                                 (int)n_left, left, (int)n_right, right);
    }
    CHECK(strcmp(got, expected) == 0, "from %s it learns %s, expected %s", description,
          got, expected);
}

/* The example of Sennrich et al. (2016), figure 1 has the same words,
 * with an end-of-word sign that we do not use. */
Test(bpe_train, low_lower_newest_widest, .timeout = 10) {
    check_training("low*5,lower*2,newest*6,widest*3", 10,
                   "e+s,es+t,l+o,lo+w,e+w,n+ew,new+est,d+est,i+dest,w+idest");
}

/* (a, b) is queued with 9. After (b, c) is merged it occurs 4 times,
 * less than (d, e) and more than (f, g). */
Test(bpe_train, a_waiting_pair_keeps_its_place, .timeout = 10) {
    check_training("abc*5,ab*4,bc*7,de*6,fg*3", 4, "b+c,d+e,a+bc,a+b");
}

Test(bpe_train, stops_when_nothing_occurs_twice, .timeout = 10) {
    check_training("ab*2,cd,de", 100, "a+b");
}

/* Random words: after every merge the counts are what counting anew gives, and the best
 * pair is the best. */
Test(bpe_train, counts_stay_true, .timeout = 20) {
    Random random = random_create(5);
    Text t = {.words = checked_alloc(60, sizeof(BpeWord)), .n = 60};
    for (size_t w = 0; w < t.n; w++) {
        size_t n = 1 + random_below(&random, 12);
        t.words[w] =
            (BpeWord){checked_alloc(n, sizeof(int)), n, 1 + random_below(&random, 9)};
        for (size_t i = 0; i < n; i++)
            t.words[w].tokens[i] = (int)('a' + random_below(&random, 4));
    }
    PairCounts pairs = {0};
    count_all(&pairs, &t);
    for (int merged = 256; merged < 290; merged++) {
        Pair best, expected = {0, 0};
        int64_t most = 1;
        for (int a = 'a'; a < merged; a = a == 'd' ? 256 : a + 1) {
            for (int b = 'a'; b < merged; b = b == 'd' ? 256 : b + 1) {
                int64_t count = recount(&t, (Pair){a, b});
                if (count > most) {
                    most = count;
                    expected = (Pair){a, b};
                }
            }
        }
        bool found = bpe_best_pair(&pairs, 2, &best);
        CHECK(found == (most > 1), "after %d merges: bpe_best_pair returns %d",
              merged - 256, found);
        if (!found) break;
        CHECK(best.left == expected.left && best.right == expected.right,
              "after %d merges: the best pair is (%d, %d), which occurs %" PRId64
              " times; expected (%d, %d), which occurs %" PRId64,
              merged - 256, best.left, best.right, recount(&t, best), expected.left,
              expected.right, most);
        merge_all(&pairs, &t, best, merged);
        check_counts(&pairs, &t, merged + 1, "after a merge in random words");
    }
}

/* 20000 distinct words, 2000 merges: a second or less when only what changes is counted
 * again. */
Test(bpe_train, many_words_in_seconds, .timeout = 60) {
    enum { N = 20000, MERGES = 2000 };
    Random random = random_create(6);
    Text t = {.words = checked_alloc(N, sizeof(BpeWord)), .n = N};
    for (size_t w = 0; w < N; w++) {
        size_t n = 3 + random_below(&random, 8);
        t.words[w] =
            (BpeWord){checked_alloc(n, sizeof(int)), n, 1 + N / (int64_t)(w + 1)};
        for (size_t i = 0; i < n; i++) {
            uint32_t a = random_below(&random, 26), b = random_below(&random, 26);
            /* some letters are more frequent than others */
            t.words[w].tokens[i] = (int)('a' + (a < b ? a : b));
        }
    }
    StringTable tokens = {0};
    for (int b = 0; b < 256; b++) string_table_add(&tokens, &(char){(char)b}, 1);
    MergeTable merges = {0};
    bpe_train(&merges, &tokens, t.words, t.n, 256 + MERGES, 2);
    CHECK(tokens.n == 256 + MERGES, "learned %zu tokens, expected %d", tokens.n - 256,
          MERGES);
}

/* A word of no tokens has no pairs, and stays as it is. */
Test(bpe_train, an_empty_word, .timeout = 10) {
    PairCounts pairs = {0};
    BpeWord word = {.tokens = checked_alloc(1, sizeof(int)), .times = 3};
    Pair best;
    crash_means("n - 1 of an empty word is a huge number: compare i + 1 with n");
    bpe_count_word(&pairs, &word, 0);
    bpe_merge_word(&pairs, &word, 0, (Pair){'a', 'b'}, 256);
    CHECK(word.n == 0, "an empty word has %zu tokens after a merge", word.n);
    CHECK(!bpe_best_pair(&pairs, 1, &best), "an empty word has the pair (%d, %d)",
          best.left, best.right);
}

/* More tokens than any array in the function could hold. */
Test(bpe_train, a_word_of_thousands, .timeout = 10) {
    enum { TIMES = 5003 };
    PairCounts pairs = {0};
    BpeWord word = {checked_alloc(2 * TIMES, sizeof(int)), 2 * TIMES, 1};
    for (size_t i = 0; i < word.n; i++) word.tokens[i] = i % 2 ? 'b' : 'a';
    bpe_count_word(&pairs, &word, 0);
    bpe_merge_word(&pairs, &word, 0, (Pair){'a', 'b'}, 256);
    CHECK(word.n == TIMES,
          "5003 times a b became %zu tokens with a b merged, expected 5003", word.n);
    for (size_t i = 0; i < word.n; i++)
        CHECK(word.tokens[i] == 256,
              "token %zu of 5003 times a b is %d, expected that of a b, 256", i,
              word.tokens[i]);
    check_counts(&pairs, &(Text){&word, 1}, 257, "after merging a b in 5003 times a b");
}
