/* The judge of open problem 09/capitals. */
#include "09-tokenizer/problems/capitals.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "text/corpus.h"
#include "base/error.h"
#include "base/memory.h"
#include "program/problem.h"
#include "math/random.h"

enum { BYTES = 200000, VOCAB = 768 };

/* The folded bytes: no fewer than before, so that folding is no packer, and unfolding
 * must give back the same. */
static char *folded(const char *bytes, size_t n, size_t *n_folded) {
    char *out = checked_alloc(2 * n + 2, 1), *back = checked_alloc(2 * (2 * n + 2), 1);
    *n_folded = fold_capitals(out, bytes, n);
    if (*n_folded < n || *n_folded > 2 * n + 2)
        die("fold_capitals makes %zu bytes of %zu, expected as many or up to %zu",
            *n_folded, n, 2 * n + 2);
    size_t n_back = unfold_capitals(back, out, *n_folded);
    if (n_back != n || memcmp(back, bytes, n) != 0)
        die("unfold_capitals does not give back what was folded");
    free(back);
    return out;
}

/* Any bytes must come back: short strings of few kinds of bytes, so that all
 * combinations occur. */
static void expect_reversible(uint64_t seed) {
    enum { STRINGS = 20000, LONGEST = 12 };
    Random random = random_create(seed);
    for (size_t i = 0; i < STRINGS; i++) {
        char bytes[LONGEST];
        size_t n = random_below(&random, LONGEST + 1), n_folded;
        for (size_t k = 0; k < n; k++) {
            bytes[k] =
                random_below(&random, 3)
                    ? (char)("Ab C\n."[random_below(&random, 6)])
                    : (char)random_below(&random, random_below(&random, 2) ? 8 : 256);
        }
        free(folded(bytes, n, &n_folded));
    }
}

static double bytes_per_token(const Tokenizer *t, const char *text, size_t n) {
    size_t n_folded, n_tokens;
    char *given = folded(text, n, &n_folded);
    free(tokenizer_encode(t, given, n_folded, false, &n_tokens));
    free(given);
    return (double)n / (double)n_tokens;
}

static void judge(const Settings *settings) {
    double small[PROBLEM_SEEDS], large[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        expect_reversible(settings->seed + k);
        CorpusText learned = corpus_generate(settings->seed + k, BYTES);
        CorpusText other = corpus_generate(settings->seed + k + 1000, BYTES / 4);
        size_t n_folded;
        char *given = folded(learned.text, learned.bytes, &n_folded);
        Tokenizer *t = tokenizer_train(given, n_folded, VOCAB);
        small[k] = bytes_per_token(t, other.text, other.bytes);
        for (size_t i = 0; i < other.bytes; i++)
            other.text[i] = (char)toupper((unsigned char)other.text[i]);
        large[k] = bytes_per_token(t, other.text, other.bytes);
        printf("seed %zu: %.2f bytes a token, %.2f in capitals\n", k + 1, small[k],
               large[k]);
        tokenizer_free(t);
        free(given);
        free(learned.text);
        free(other.text);
    }
    problem_at_least("bytes a token", small, 3.8);
    problem_at_least("bytes a token in capitals", large, 3);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "09/capitals", judge);
}
