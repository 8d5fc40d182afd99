/* The experiments of chapter 09: see experiments.h. */
#include "09-tokenizer/experiments.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_encode.h"
#include "09-tokenizer/bpe_scan.h"
#include "09-tokenizer/tokenizer.h"
#include "clock.h"
#include "corpus.h"
#include "csv.h"
#include "error.h"
#include "fit.h"

enum { MAX_LENGTHS = 16 };

static double bytes_per_token(const Tokenizer *t, const char *text, size_t n) {
    size_t n_tokens;
    free(tokenizer_encode(t, text, n, false, &n_tokens));
    return (double)n / (double)n_tokens;
}

void experiment_compression(const Settings *settings) {
    static const size_t sizes[] = {257, 272, 288, 320, 352, 384, 448, 512, 640, 768, 896, 1024};
    enum { N_SIZES = sizeof sizes / sizeof *sizes };
    size_t bytes = settings->quick ? 100000 : 1000000;
    CorpusText learned = corpus_generate(settings->seed, bytes),
               other = corpus_generate(settings->seed + 1, bytes / 4);
    char *capitals = checked_alloc(other.bytes, 1);
    for (size_t i = 0; i < other.bytes; i++) capitals[i] = (char)toupper((unsigned char)other.text[i]);

    Csv csv = csv_begin(settings->out, "09-compression", "vocab,learned,other,capitals");
    printf("%8s %8s   bytes per token of\n%8s %8s %10s %10s %10s\n", "vocab", "merges", "", "", "its text",
           "new text", "capitals");
    double last = 0, difference = 0, in_capitals = 0;
    for (size_t i = 0; i < N_SIZES; i++) {
        Tokenizer *t = tokenizer_train(learned.text, learned.bytes, sizes[i]);
        double on_learned = bytes_per_token(t, learned.text, learned.bytes);
        double on_other = bytes_per_token(t, other.text, other.bytes);
        in_capitals = bytes_per_token(t, capitals, other.bytes);
        size_t vocab = tokenizer_n_vocab(t), merges = t->merges.n;
        printf("%8zu %8zu %10.3f %10.3f %10.3f\n", vocab, merges, on_learned, on_other, in_capitals);
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", vocab, on_learned, on_other, in_capitals);
        tokenizer_free(t);
        if (on_learned < last) die_claim("%zu tokens compress less than fewer tokens do", vocab);
        last = on_learned;
        double change = fabs(on_other / on_learned - 1);
        if (change > difference) difference = change;
        if (vocab < sizes[i]) break; /* no pair is left that occurs twice */
    }
    csv_commit(&csv);
    claim(last > 3, "the largest vocabulary takes %.2f bytes for a token (more than 3)", last);
    claim(difference < 0.01, "new text of the same kind compresses as well, within %.2f %% (1 %%)",
          100 * difference);
    claim(in_capitals < 0.6 * last, "the same text in capitals: %.2f bytes a token (less than 0.6 of that)",
          in_capitals);
    free(capitals);
    free(learned.text);
    free(other.text);
}

/* A word of n letters: stories without anything but their letters. */
static char *long_word(size_t n, uint64_t seed) {
    CorpusText text = corpus_generate(seed, 2 * n + 1000);
    size_t kept = 0;
    for (size_t i = 0; i < text.bytes && kept < n; i++) {
        if (isalpha((unsigned char)text.text[i])) text.text[kept++] = text.text[i];
    }
    if (kept < n) die("only %zu letters, expected %zu", kept, n);
    return text.text;
}

/* The least of three measurements of encoding the word; *n_tokens says how many tokens it became. */
static double seconds_to_encode(const Tokenizer *t, const char *word, size_t n, bool by_scanning,
                                size_t *n_tokens) {
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, n);
    int *tokens = checked_alloc(n, sizeof *tokens);
    double least = 1e30;
    for (int repeat = 0; repeat < 3; repeat++) {
        for (size_t i = 0; i < n; i++) tokens[i] = t->byte_token[(unsigned char)word[i]];
        double start = clock_seconds();
        *n_tokens = by_scanning ? bpe_encode_by_scanning(tokens, n, &t->merges)
                                : bpe_encode(tokens, n, &t->merges, &scratch);
        double seconds = clock_seconds() - start;
        if (seconds < least) least = seconds;
    }
    free(tokens);
    bpe_scratch_free(&scratch);
    return least;
}

/* Measurements of one encoder at growing lengths. */
typedef struct {
    double lengths[MAX_LENGTHS], seconds[MAX_LENGTHS];
    size_t n;
} Times;

/* The p of seconds ~ length^p, from words of `from` letters on: the shortest ones measure the clock. */
static double exponent(const Times *t, double from) {
    size_t first = 0;
    while (first < t->n && t->lengths[first] < from) first++;
    return fit_exponent(t->lengths + first, t->seconds + first, t->n - first);
}

void experiment_encode_time(const Settings *settings) {
    size_t longest = settings->quick ? (size_t)1 << 16 : (size_t)1 << 20;
    size_t longest_scanned = settings->quick ? 4096 : 16384;
    const size_t shortest = 64;
    const double from = 256;
    CorpusText text = corpus_generate(settings->seed, 100000);
    Tokenizer *t = tokenizer_train(text.text, text.bytes, 1024);
    char *word = long_word(longest, settings->seed + 1);
    Csv csv = csv_begin(settings->out, "09-encode-time", "length,scan,heap");
    printf("%10s %10s %14s %14s\n", "letters", "tokens", "scanning, ms", "heap, ms");
    Times scan = {.n = 0}, heap = {.n = 0};
    for (size_t n = shortest; n <= longest; n *= 4) {
        size_t n_tokens, n_scanned;
        double seconds = seconds_to_encode(t, word, n, false, &n_tokens);
        heap.lengths[heap.n] = (double)n;
        heap.seconds[heap.n++] = seconds;
        if (n > longest_scanned) {
            printf("%10zu %10zu %14s %14.3f\n", n, n_tokens, "", 1e3 * seconds);
            csv_row(&csv, "%zu,,%.6g", n, seconds);
            continue;
        }
        double scanned = seconds_to_encode(t, word, n, true, &n_scanned);
        scan.lengths[scan.n] = (double)n;
        scan.seconds[scan.n++] = scanned;
        if (n_scanned != n_tokens)
            die_claim("%zu tokens by scanning, %zu with the heap", n_scanned, n_tokens);
        printf("%10zu %10zu %14.3f %14.3f\n", n, n_tokens, 1e3 * scanned, 1e3 * seconds);
        csv_row(&csv, "%zu,%.6g,%.6g", n, scanned, seconds);
    }
    csv_commit(&csv);
    double scan_exponent = exponent(&scan, from), heap_exponent = exponent(&heap, from);
    claim(scan_exponent > 1.7, "scanning: time grows as length^%.2f (exponent more than 1.7)", scan_exponent);
    claim(heap_exponent < 1.6, "with the heap: time grows as length^%.2f (exponent less than 1.6)",
          heap_exponent);
    free(word);
    free(text.text);
    tokenizer_free(t);
}
