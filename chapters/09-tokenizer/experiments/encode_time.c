/* How long encoding takes: by scanning, and with the queue of the exercise. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "09-tokenizer/bpe_encode.h"
#include "09-tokenizer/bpe_scan.h"
#include "09-tokenizer/experiments/experiments.h"
#include "09-tokenizer/tokenizer.h"
#include "program/claim.h"
#include "base/clock.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"

enum { MAX_LENGTHS = 16, ENOUGH = 1 << 16 };

/* n letters: stories without anything but their letters. */
static char *long_word(size_t n, uint64_t seed) {
    CorpusText text = corpus_generate(seed, 2 * n + 1000);
    size_t kept = 0;
    for (size_t i = 0; i < text.bytes && kept < n; i++) {
        if (isalpha((unsigned char)text.text[i])) text.text[kept++] = text.text[i];
    }
    if (kept < n) die("only %zu letters, expected %zu", kept, n);
    return text.text;
}

/* Seconds to encode a word of n letters, the least of three measurements; *n_tokens
 * says how many tokens the first word became. Each measurement encodes different words,
 * of ENOUGH letters together: a processor that reads one short word again and again
 * learns its branches by heart. */
static double seconds_to_encode(const Tokenizer *t, const char *letters, size_t n,
                                bool by_scanning, size_t *n_tokens) {
    size_t n_words = n < ENOUGH ? ENOUGH / n : 1;
    BpeScratch scratch = {0};
    bpe_scratch_reserve(&scratch, n);
    int *tokens = checked_alloc(n_words * n, sizeof *tokens);
    double least = 1e30;
    for (int repeat = 0; repeat < 3; repeat++) {
        for (size_t i = 0; i < n_words * n; i++)
            tokens[i] = t->byte_token[(unsigned char)letters[i]];
        double start = clock_seconds();
        for (size_t w = n_words; w-- > 0;) {
            int *word = tokens + w * n;
            *n_tokens = by_scanning ? bpe_encode_by_scanning(word, n, &t->merges)
                                    : bpe_encode(word, n, &t->merges, &scratch);
        }
        least = smaller(least, (clock_seconds() - start) / (double)n_words);
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

/* The p of seconds ~ length^p, over words of `from` to `to` letters. */
static double exponent(const Times *t, double from, double to) {
    size_t first = 0, end = t->n;
    while (first < t->n && t->lengths[first] < from) first++;
    while (end > first && t->lengths[end - 1] > to) end--;
    return fit_exponent(t->lengths + first, t->seconds + first, end - first);
}

void experiment_encode_time(const Settings *settings) {
    size_t longest = settings->quick ? (size_t)1 << 16 : (size_t)1 << 20;
    size_t longest_scanned = settings->quick ? 4096 : 16384;
    const size_t shortest = 64;
    CorpusText text = corpus_generate(settings->seed, 100000);
    Tokenizer *t = tokenizer_train(text.text, text.bytes, 1024);
    char *word = long_word(longest, settings->seed + 1);
    Csv csv = csv_begin(settings->out, "encode-time", "length,scan,queue");
    printf("%10s %10s %14s %14s\n", "letters", "tokens", "scanning, s", "queue, s");
    Times scan = {.n = 0}, heap = {.n = 0};
    for (size_t n = shortest; n <= longest; n *= 4) {
        size_t n_tokens, n_scanned;
        double seconds = seconds_to_encode(t, word, n, false, &n_tokens);
        heap.lengths[heap.n] = (double)n;
        heap.seconds[heap.n++] = seconds;
        if (n > longest_scanned) {
            printf("%10zu %10zu %14s %14.6f\n", n, n_tokens, "", seconds);
            csv_row(&csv, "%zu,,%.6g", n, seconds);
            continue;
        }
        double scanned = seconds_to_encode(t, word, n, true, &n_scanned);
        scan.lengths[scan.n] = (double)n;
        scan.seconds[scan.n++] = scanned;
        if (n_scanned != n_tokens)
            die_claim("%zu tokens by scanning, %zu with the queue", n_scanned,
                      n_tokens);
        printf("%10zu %10zu %14.6f %14.6f\n", n, n_tokens, scanned, seconds);
        csv_row(&csv, "%zu,%.6g,%.6g", n, scanned, seconds);
    }
    csv_commit(&csv);
    double scan_exponent = exponent(&scan, 256, (double)longest_scanned),
           heap_exponent = exponent(&heap, 64, (double)longest),
           heap_to_enough = exponent(&heap, 64, ENOUGH);
    double gain = scan.seconds[scan.n - 1] / heap.seconds[scan.n - 1];
    csv = csv_begin(settings->out, "encode-growth",
                    "scan_exponent,queue_exponent,queue_to_65536,longest_scanned,gain");
    csv_row(&csv, "%.4g,%.4g,%.4g,%.0f,%.4g", scan_exponent, heap_exponent,
            heap_to_enough, scan.lengths[scan.n - 1], gain);
    csv_commit(&csv);
    claim(scan_exponent > 1.7,
          "scanning: time grows as length^%.2f (exponent more than 1.7)",
          scan_exponent);
    claim(
        heap_exponent < scan_exponent - 0.4,
        "with the queue: time grows as length^%.2f (exponent smaller by more than 0.4)",
        heap_exponent);
    claim(gain > 20,
          "at %.0f letters the queue is %.0f times as fast (more than 20 times)",
          scan.lengths[scan.n - 1], gain);
    free(word);
    free(text.text);
    tokenizer_free(t);
}
