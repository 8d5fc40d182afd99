/* Training data of a language model: see dataset.h. */
#include "11-training/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "11-training/train.h"
#include "text/corpus.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

/* Tokens of a text of stories, one a line. A newline goes in front: the first story is
 * predicted from one like all others. */
static TokenText tokenize_stories(const Tokenizer *tokenizer, const CorpusText *text) {
    char *lines = checked_alloc(text->bytes + 1, 1);
    lines[0] = '\n';
    memcpy(lines + 1, text->text, text->bytes);
    TokenText t = {0};
    t.tokens = tokenizer_encode(tokenizer, lines, text->bytes + 1, false, &t.n);
    free(lines);
    t.starts = checked_alloc(text->stories + 1, sizeof *t.starts);
    for (size_t i = 0; i + 1 < t.n; i++) {
        size_t bytes;
        const char *token = tokenizer_token(tokenizer, t.tokens[i], &bytes);
        if (bytes == 1 && token[0] == '\n') t.starts[t.n_starts++] = i;
    }
    return t;
}

Tokenizer *dataset_tokenizer(const char *path, uint64_t seed, size_t n_vocab) {
    /* every word of the language occurs a hundred times in as much */
    enum { CORPUS_BYTES = 300000 };
    CorpusText corpus = {0};
    if (path) {
        corpus.text = file_read(path, &corpus.bytes);
    } else {
        corpus = corpus_generate(2 * seed, CORPUS_BYTES);
    }
    Tokenizer *tokenizer = tokenizer_train(corpus.text, corpus.bytes, n_vocab);
    free(corpus.text);
    return tokenizer;
}

Dataset dataset_corpus(const Tokenizer *tokenizer, uint64_t seed, size_t train_bytes,
                       size_t validation_bytes) {
    CorpusText train = corpus_generate(2 * seed, train_bytes),
               validation = corpus_generate(2 * seed + 1, validation_bytes);
    Dataset d = {.n_vocab = tokenizer_n_vocab(tokenizer)};
    tokenizer_checksum(tokenizer, d.vocabulary);
    d.train = tokenize_stories(tokenizer, &train);
    d.validation = tokenize_stories(tokenizer, &validation);
    d.floor = validation.nll / (double)(d.validation.n - 1);
    free(train.text);
    free(validation.text);
    return d;
}

Dataset dataset_text(const Tokenizer *tokenizer, const char *path, size_t least) {
    size_t bytes, n;
    char *text = file_read(path, &bytes);
    int *tokens = tokenizer_encode(tokenizer, text, bytes, false, &n);
    free(text);
    size_t n_train = n - n / 10;
    if (n / 10 <= least)
        die("file '%s': %zu tokens, expected more than %zu (a tenth is for validation)",
            path, n, 10 * least);
    Dataset d = {.n_vocab = tokenizer_n_vocab(tokenizer)};
    tokenizer_checksum(tokenizer, d.vocabulary);
    d.train = (TokenText){.tokens = tokens, .n = n_train};
    d.validation = (TokenText){.tokens = checked_alloc(n - n_train, sizeof *tokens),
                               .n = n - n_train};
    memcpy(d.validation.tokens, tokens + n_train, (n - n_train) * sizeof *tokens);
    return d;
}

void dataset_train_window(const Dataset *d, Random *random, size_t length, int *inputs,
                          int *targets) {
    const TokenText *text = &d->train;
    size_t start;
    do {
        start = random_below(
            random, (uint32_t)(text->starts ? text->n_starts : text->n - length));
        if (text->starts) start = (size_t)text->starts[start];
    } while (start + length >= text->n);
    memcpy(inputs, text->tokens + start, length * sizeof *inputs);
    memcpy(targets, text->tokens + start + 1, length * sizeof *targets);
}

void dataset_train_batch(const Dataset *d, uint64_t seed, uint64_t index, size_t batch,
                         size_t length, int *inputs, int *targets) {
    Random r = random_stream(seed, STREAM_DATA);
    r.next = index << 20; /* far more numbers than a batch takes */
    for (size_t b = 0; b < batch; b++)
        dataset_train_window(d, &r, length, inputs + b * length, targets + b * length);
}

/* Where the stories that fit into `length` tokens from story `first` on end; *next is
 * the story behind them. A story that is longer than the window is cut. */
static size_t end_of_stories(const TokenText *text, size_t first, size_t length,
                             size_t *next) {
    size_t start = (size_t)text->starts[first], end = start;
    for (*next = first; *next < text->n_starts; ++*next) {
        size_t story_end =
            *next + 1 < text->n_starts ? (size_t)text->starts[*next + 1] : text->n - 1;
        if (story_end - start > length) break;
        end = story_end;
    }
    if (*next > first) return end;
    ++*next;
    return start + length;
}

size_t dataset_next_window(const Dataset *d, size_t *cursor, size_t length, int *inputs,
                           int *targets) {
    const TokenText *text = &d->validation;
    size_t start, end;
    if (text->starts) {
        if (*cursor >= text->n_starts) return 0;
        start = (size_t)text->starts[*cursor];
        end = end_of_stories(text, *cursor, length, cursor);
    } else {
        start = *cursor;
        end = start + length;
        if (end >= text->n) return 0;
        *cursor = end;
    }
    for (size_t i = 0; i < length; i++) {
        bool counts = start + i < end;
        inputs[i] = text->tokens[counts ? start + i : start];
        targets[i] = counts ? text->tokens[start + i + 1] : IGNORE_TARGET;
    }
    return end - start;
}

void dataset_free(Dataset *d) {
    free(d->train.tokens);
    free(d->train.starts);
    free(d->validation.tokens);
    free(d->validation.starts);
    *d = (Dataset){0};
}
