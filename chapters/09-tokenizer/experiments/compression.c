/* How well a vocabulary compresses, by its size. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "09-tokenizer/experiments/experiments.h"
#include "09-tokenizer/tokenizer.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"

static double bytes_per_token(const Tokenizer *t, const char *text, size_t n) {
    size_t n_tokens;
    free(tokenizer_encode(t, text, n, false, &n_tokens));
    return (double)n / (double)n_tokens;
}

/* The numbers that are asserted, over all seeds and sizes. */
typedef struct {
    double least_last; /* bytes per token of the largest vocabulary, on its own text */
    double difference; /* new stories against those it was learned from, relative */
    double capitals;   /* bytes per token of capitals, as a share of the stories' */
    double of_words;   /* bytes per token of the largest vocabulary against bytes per
                          word, the least */
} Extremes;

/* No merge crosses a word, so that no vocabulary takes more bytes for a token than a
 * word has. */
static double bytes_per_word(const Tokenizer *t, const char *text, size_t n) {
    const char *word;
    size_t length, words = 0;
    WordWalk walk = words_begin(t->pretokenizer, text, n);
    while (words_next(&walk, &word, &length)) words++;
    words_end(&walk);
    return (double)n / (double)words;
}

static const size_t sizes[] = {257, 272, 288, 320, 352, 384,
                               448, 512, 640, 768, 896, 1024};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* One seed's vocabularies: learned from `bytes` bytes of stories, tried on others. */
static void compress_with_seed(Csv *csv, uint64_t seed, size_t bytes, Extremes *e) {
    CorpusText learned = corpus_generate(seed, bytes),
               other = corpus_generate(seed + 1000, bytes / 4);
    char *capitals = checked_alloc(other.bytes, 1);
    for (size_t i = 0; i < other.bytes; i++)
        capitals[i] = (char)toupper((unsigned char)other.text[i]);
    double last = 0;
    for (size_t i = 0; i < N_SIZES; i++) {
        Tokenizer *t = tokenizer_train(learned.text, learned.bytes, sizes[i]);
        double on_learned = bytes_per_token(t, learned.text, learned.bytes);
        double on_other = bytes_per_token(t, other.text, other.bytes);
        double on_capitals = bytes_per_token(t, capitals, other.bytes);
        size_t vocab = tokenizer_n_vocab(t);
        double words = bytes_per_word(t, other.text, other.bytes);
        printf("%5zu %8zu %10.3f %10.3f %10.3f %10.3f\n", (size_t)seed, vocab,
               on_learned, on_other, on_capitals, words);
        csv_row(csv, "%zu,%zu,%.6g,%.6g,%.6g,%.6g", (size_t)seed, vocab, on_learned,
                on_other, on_capitals, words);
        tokenizer_free(t);
        if (on_learned < last)
            die_claim("%zu tokens compress less than fewer tokens do", vocab);
        last = on_learned;
        e->difference = larger(e->difference, fabs(on_other / on_learned - 1));
        /* the largest: no pair is left that occurs twice */
        if (vocab < sizes[i] || i + 1 == N_SIZES) {
            e->capitals = larger(e->capitals, on_capitals / on_other);
            e->of_words = smaller(e->of_words, on_other / words);
            break;
        }
    }
    e->least_last = smaller(e->least_last, last);
    free(capitals);
    free(learned.text);
    free(other.text);
}

void experiment_compression(const Settings *settings) {
    size_t bytes = settings->quick ? 100000 : 1000000, seeds = settings->quick ? 1 : 3;
    Extremes e = {.least_last = INFINITY, .of_words = INFINITY};
    Csv csv = csv_begin(settings->out, "compression",
                        "seed,vocab,learned,other,capitals,words");
    printf(
        "bytes per token, and per word of the new text:\n%5s %8s %10s %10s %10s %10s\n",
        "seed", "vocab", "its text", "new text", "capitals", "word");
    for (uint64_t s = 0; s < seeds; s++)
        compress_with_seed(&csv, settings->seed + s, bytes, &e);
    csv_commit(&csv);
    claim(e.least_last > 3,
          "the largest vocabulary takes %.2f bytes for a token, more than 3",
          e.least_last);
    claim(
        e.difference < 0.01,
        "new stories compress as well as those it learned from, within %.2f %% (1 %%)",
        100 * e.difference);
    claim(e.capitals < 0.6, "the same stories in capitals: %.2f of that, less than 0.6",
          e.capitals);
    claim(e.of_words > 0.99,
          "in the end a word is a token: %.4f of the bytes per word, more than 0.99",
          e.of_words);
}
