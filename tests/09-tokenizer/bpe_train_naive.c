/* Tests of exercise 09/bpe_train_naive: small texts made by hand. */
#include "09-tokenizer/bpe_train_naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_train.h"
#include "check/check.h"
#include "check/guarded.h"
#include "words.h"

/* A token by its spelling, behind what is in `out`. */
static void spell(char *out, size_t size, const Pair *merges, size_t m, int token) {
    CHECK(token >= 0 && token < 256 + (int)m,
          "merge %zu has token %d, which is not there yet: merge m makes token 256 + m",
          m, token);
    if (token >= 256) {
        size_t made = (size_t)token - 256;
        spell(out, size, merges, made, merges[made].left);
        spell(out, size, merges, made, merges[made].right);
        return;
    }
    size_t used = strlen(out);
    snprintf(out + used, size - used, token > ' ' && token < 127 ? "%c" : "<%d>",
             token);
}

/* Merges as "l+o,lo+w", tokens by their spelling. */
static void list(char *out, size_t size, const Pair *merges, size_t n) {
    out[0] = 0;
    for (size_t m = 0; m < n && strlen(out) + 100 < size; m++) {
        if (m > 0) strcat(out, ",");
        spell(out, size, merges, m, merges[m].left);
        strcat(out, "+");
        spell(out, size, merges, m, merges[m].right);
    }
}

/* Learns up to n_merges merges and lists them. The counts are
 * not 0 at first, and one element too many of an array is a crash. */
static const char *learn(Text *t, size_t n_merges) {
    static char out[2000];
    size_t n_counts = (256 + n_merges) * (256 + n_merges);
    Pair *merges = guarded_alloc(n_merges, sizeof *merges);
    int64_t *counts = guarded_alloc(n_counts, sizeof *counts);
    for (size_t i = 0; i < n_counts; i++) counts[i] = 3 + (int64_t)(i % 1000);
    size_t learned = bpe_train_naive(merges, n_merges, t->words, t->n, counts);
    CHECK(learned <= n_merges, "it returns %zu, but at most %zu merges may be learned",
          learned, n_merges);
    list(out, sizeof out, merges, learned);
    free(merges);
    free(counts);
    return out;
}

/* Compares the merges, and the words that are left if `words` says them. */
static void check(const char *description, size_t n_merges, const char *expected,
                  const char *words, const char *why) {
    Text t = text(description);
    const char *got = learn(&t, n_merges);
    CHECK(strcmp(got, expected) == 0, "from %s it learns '%s', expected '%s': %s",
          description, got, expected, why);
    char left[500] = "";
    for (size_t w = 0; words && w < t.n && strlen(left) < 400; w++)
        sprintf(left + strlen(left), "%s%.80s", w ? ", " : "", word_text(&t.words[w]));
    CHECK(!words || strcmp(left, words) == 0,
          "after %s of %s the words are '%s', expected '%s': %s", got, description,
          left, words, why);
}

Test(bpe_train_naive, most_frequent_pair, .timeout = 10) {
    check("ab*3,cd*5,ef*4", 1, "c+d", NULL,
          "each pair counts as often as its word occurs, and the last two tokens of a "
          "word are a pair");
}

Test(bpe_train_naive, overlapping_pairs_count, .timeout = 10) {
    static const char why[] = "pairs that overlap count: aaa has two a a";
    check("aaa*2,bc*3", 1, "a+a", NULL, why);
    check("hahaha*2,aha*3", 3, "h+a,ha+ha,a+ha", NULL, why);
}

Test(bpe_train_naive, equal_counts, .timeout = 10) {
    check("zb*3,az*3,ay*3", 3, "a+y,a+z,z+b", NULL,
          "of equal counts the smaller left token goes first, then the smaller right "
          "token");
}

Test(bpe_train_naive, merged_everywhere, .timeout = 10) {
    check("xabyab*2,zab", 1, "a+b", "x <256> y <256>, z <256>",
          "the pair is merged in every word, wherever it stands, and word->n is what "
          "is left");
}

Test(bpe_train_naive, merged_from_the_left, .timeout = 10) {
    check("aaa*2,aaaa", 1, "a+a", "<256> a, <256> <256>",
          "what was merged just now is not merged again, and the rest stays");
}

/* The lesson's example. */
Test(bpe_train_naive, ten_letters, .timeout = 10) {
    check("nanonanona", 3, "n+a,n+o,na+no", "<258> <258> <256>",
          "merged tokens have pairs, too, and a merged token is larger than any byte");
}

Test(bpe_train_naive, counts_begin_anew, .timeout = 10) {
    check("abc*5,ab*4,bc*7,de*6,fg*3", 4, "b+c,d+e,a+bc,a+b", NULL,
          "all counts begin at 0 in each step: the array holds those of the last one, "
          "and anything at first");
}

Test(bpe_train_naive, stops_when_nothing_occurs_twice, .timeout = 10) {
    check("ab*2,cd", 1, "a+b", NULL, "twice is enough");
    check("ab*2,cd,de", 5, "a+b", NULL, "the others occur once, so 1 is returned");
    check("ab,cd", 5, "", NULL, "no pair occurs twice, so 0 is returned");
}

Test(bpe_train_naive, more_than_an_int_holds, .timeout = 10) {
    Text t = text("ab,cd*9");
    t.words[0].times = (int64_t)1 << 32;
    const char *got = learn(&t, 1);
    CHECK(strcmp(got, "a+b") == 0,
          "a b occurs 2^32 times, c d 9 times, and it learns '%s': no int holds 2^32",
          got);
}

/* "" is a word of no tokens. */
Test(bpe_train_naive, nothing_to_learn, .timeout = 10) {
    Text t = text("ab*2");
    crash_means("n - 1 of an empty word is a huge number: compare i + 1 with n");
    t.words[0].n = 0;
    const char *got = learn(&t, 3);
    CHECK(!*got, "from an empty word it learns '%s'", got);
    t.n = 0;
    CHECK(!*learn(&t, 3), "from no words it learns '%s'", learn(&t, 3));
    t = text("ab*2");
    CHECK(!*learn(&t, 0) && t.words[0].n == 2, "with n_merges 0 it merges");
}

/* The fast way must learn the same. No two of these merges spell the same token, for
 * which bpe_train has one number and this exercise two. */
Test(bpe_train_naive, same_as_bpe_train, .timeout = 20) {
    static const char description[] =
        "the*9,then*3,there*4,other*5,mother*2,he*6,her*4,hen*3,ten*2,tent*2,banana*3,"
        "bandana*2,cabana*2,low*5,lower*2,newest*6,widest*3,hohoho*2,aaaaaa*2";
    enum { MERGES = 40 };
    Text t = text(description), naive = text(description);
    StringTable tokens = {0};
    for (int b = 0; b < 256; b++) string_table_add(&tokens, &(char){(char)b}, 1);
    MergeTable fast = {0};
    bpe_train(&fast, &tokens, t.words, t.n, 256 + MERGES, 2);
    Pair *merges = guarded_alloc(fast.n, sizeof *merges);
    for (size_t m = 0; m < fast.n; m++)
        merges[m] = (Pair){fast.items[m].left, fast.items[m].right};
    const char *got = learn(&naive, fast.n);
    char expected[2000];
    list(expected, sizeof expected, merges, fast.n);
    CHECK(tokens.n == 256 + fast.n, "two merges of this text spell the same token");
    CHECK(strcmp(got, expected) == 0, "it learns\n%s\nbut bpe_train learns\n%s", got,
          expected);
    for (size_t w = 0; w < t.n; w++)
        CHECK(t.words[w].n == naive.words[w].n,
              "word %zu has %zu tokens in the end, with bpe_train %zu", w,
              naive.words[w].n, t.words[w].n);
    free(merges);
}
