/* A model with its tokenizer and a prompt: see writer.h. */
#include "12-generation/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "09-tokenizer/utf8.h"
#include "10-gpt2/checkpoint.h"
#include "10-gpt2/ids.h"
#include "11-training/train.h"
#include "error.h"
#include "file.h"

static bool has_vocabulary(const char *directory) {
    char *path = path_join(directory, "vocab.json");
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

Writer writer_load(const char *directory) {
    Writer w = {.model = gpt2_load(directory, PARAMS_MAPPED)};
    size_t n_vocab = w.model->config.n_vocab;
    if (has_vocabulary(directory)) {
        w.tokenizer = tokenizer_load(directory);
    } else if (n_vocab == TOKENIZER_MIN_VOCAB) {
        w.tokenizer = tokenizer_bytes();
    }
    if (w.tokenizer && tokenizer_n_vocab(w.tokenizer) != n_vocab) {
        die("directory '%s': the vocabulary has %zu tokens, the model %zu", directory,
            tokenizer_n_vocab(w.tokenizer), n_vocab);
    }
    return w;
}

Writer writer_train(uint64_t seed, size_t steps) {
    Writer w = {.tokenizer = dataset_tokenizer(NULL, seed, 512)};
    Dataset data = dataset_corpus(w.tokenizer, seed, 400000, 2000);
    Gpt2Config config = gpt2_config(data.n_vocab, 64, 2, 4, 64);
    TrainSettings settings = train_settings(&config);
    settings.seed = seed;
    settings.batch = 16;
    settings.steps = steps;
    settings.warmup = steps / 10;
    Trainer t = trainer_create(&settings, &data, NULL);
    while (t.step < settings.steps) trainer_step(&t);
    w.model = t.model;
    t.model = NULL; /* it stays with the writer */
    trainer_free(&t);
    dataset_free(&data);
    return w;
}

void writer_set_ids(Writer *w, const char *ids) {
    free(w->prompt);
    w->prompt = ids_parse(ids, w->model->config.n_vocab, &w->n_prompt);
}

void writer_set_prompt(Writer *w, const char *text) {
    if (!w->tokenizer) die("this model has no vocab.json and merges.txt: give the prompt as --ids");
    size_t bytes = strlen(text);
    char *input = strcmp(text, "-") == 0 ? file_read(text, &bytes) : checked_strdup(text);
    free(w->prompt);
    w->prompt = tokenizer_encode(w->tokenizer, input, bytes, false, &w->n_prompt);
    free(input);
    if (w->n_prompt == 0) {
        w->prompt = checked_realloc(w->prompt, 1, sizeof *w->prompt);
        w->prompt[w->n_prompt++] = tokenizer_eot(w->tokenizer);
    }
}

typedef struct {
    Writer *writer;
    Utf8Stream stream;
} Printer;

static void print_text(Writer *w, const char *text, size_t bytes) {
    fwrite(text, 1, bytes, stdout);
    w->written = checked_realloc(w->written, w->n_written + bytes + 1, 1);
    memcpy(w->written + w->n_written, text, bytes);
    w->n_written += bytes;
}

static void print_token(void *context, int token) {
    Printer *p = context;
    if (!p->writer->tokenizer) {
        printf("%d ", token);
    } else {
        size_t bytes;
        const char *text = tokenizer_token(p->writer->tokenizer, token, &bytes);
        char *whole = checked_alloc(bytes + UTF8_MAX_BYTES, 1);
        print_text(p->writer, whole, utf8_stream_add(&p->stream, whole, text, bytes));
        free(whole);
    }
    fflush(stdout);
}

size_t writer_write(Writer *w, LanguageModel lm, const GenerateSettings *settings, Random *random) {
    Printer printer = {.writer = w};
    size_t room = w->n_prompt + settings->max_new_tokens;
    int *tokens = checked_alloc(room, sizeof *tokens);
    memcpy(tokens, w->prompt, w->n_prompt * sizeof *tokens);
    for (size_t i = 0; i < w->n_prompt; i++) print_token(&printer, tokens[i]);
    size_t n = generate(tokens, w->n_prompt, lm, settings, random, print_token, &printer);
    char rest[UTF8_MAX_BYTES];
    print_text(w, rest, utf8_stream_flush(&printer.stream, rest));
    print_text(w, "\n", 1);
    fflush(stdout);
    if (n < room && tokens[n - 1] != settings->stop_token) {
        fprintf(stderr, "stopped after %zu new tokens: the model's context of %zu is full\n", n - w->n_prompt,
                lm.n_ctx);
    }
    free(tokens);
    return n - w->n_prompt;
}

void writer_free(Writer *w) {
    if (w->model) gpt2_free(w->model);
    if (w->tokenizer) tokenizer_free(w->tokenizer);
    free(w->prompt);
    free(w->written);
    *w = (Writer){0};
}
