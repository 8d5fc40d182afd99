/* An attack on 18/split_digits: random texts, each cut here by a plain walk over its
 * pieces. */
#include "18-llama/split_digits.h"

#include <stdio.h>
#include <string.h>

#include "18-llama/llama_words.h"
#include "check/check.h"
#include "math/random.h"

static const char *const parts[] = {"1",  " ",  "a",  "7",        "\n",
                                    "'s", "!",  "\t", "\xc2\xbd", "\xd9\xa3",
                                    "  ", "ab", ".",  "\xff",     "\xe6\x97\xa5"};
enum { N_PARTS = sizeof parts / sizeof *parts };

static size_t piece_end(const char *text, size_t n) {
    int number = number_length(text, n);
    if (number) return (size_t)number;
    size_t end = 1;
    while (end < n && !number_length(text + end, n - end)) end++;
    return end;
}

static void expect_word(WordWalk *walk, const char *right, size_t n_right) {
    const char *word = NULL;
    size_t n = 0;
    bool found = split_digits(walk, &word, &n);
    CHECK(found && word == right && n == n_right, "a word of %zu bytes, expected %zu",
          n, n_right);
    CHECK(walk->at == (size_t)(word - walk->text) + n && walk->end >= walk->at &&
              walk->end <= walk->n,
          "at %zu, end %zu", walk->at, walk->end);
}

static void check_text(const Pretokenizer *p, const Pretokenizer *gpt2,
                       const char *text, size_t n) {
    WordWalk walk = words_begin(p, text, n);
    for (size_t at = 0; at < n;) {
        size_t length, bytes = piece_end(text + at, n - at);
        const char *word;
        WordWalk piece = words_begin(gpt2, text + at, bytes);
        while (words_next(&piece, &word, &length)) expect_word(&walk, word, length);
        words_end(&piece);
        at += bytes;
    }
    const char *word = NULL;
    size_t length = 0;
    for (int again = 0; again < 2; again++)
        CHECK(!split_digits(&walk, &word, &length) && !word, "a word behind the end");
    words_end(&walk);
}

Test(attack, random_texts) {
    Random random = random_create(1);
    Pretokenizer *p = pretokenizer_create(&smollm_words),
                 *gpt2 = pretokenizer_create(&gpt2_words);
    for (int trial = 0; trial < 400; trial++) {
        char text[80];
        size_t n = 0, n_parts = random_below(&random, 14);
        for (size_t i = 0; i < n_parts; i++) {
            n += (size_t)sprintf(text + n, "%s", parts[random_below(&random, N_PARTS)]);
            if (random_below(&random, 20) == 0) text[n++] = 0;
        }
        check_text(p, gpt2, text, n);
    }
    pretokenizer_free(p);
    pretokenizer_free(gpt2);
}

/* A text without a digit: what it costs must grow as its length. */
Test(attack, a_long_text) {
    enum { N = 600000 };
    static char text[N];
    memset(text, 'a', N);
    for (size_t i = 0; i < N; i += 2) text[i] = ' ';
    Pretokenizer *p = pretokenizer_create(&smollm_words);
    WordWalk walk = words_begin(p, text, N);
    const char *word;
    size_t n, words = 0;
    while (split_digits(&walk, &word, &n)) words++;
    CHECK(words == N / 2, "%zu words", words);
    words_end(&walk);
    pretokenizer_free(p);
}
