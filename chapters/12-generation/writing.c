/* A model with its tokenizer and a prompt: see writer.h. */
#include "12-generation/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/utf8.h"
#include "10-gpt2/checkpoint.h"
#include "10-gpt2/ids.h"
#include "10-gpt2/model_tokenizer.h"
#include "11-training/train.h"
#include "error.h"
#include "file.h"
#include "memory.h"
#include "progress.h"

Writer writer_load(const char *directory) {
    Writer w = {.model = gpt2_load(directory, PARAMS_MAPPED)};
    w.tokenizer = model_tokenizer(NULL, directory, w.model->config.n_vocab);
    w.print_ids = !w.tokenizer;
    return w;
}

Writer writer_train(uint64_t seed, const SmallModel *size) {
    Writer w = {.tokenizer = dataset_tokenizer(NULL, seed, 512)};
    Dataset data = dataset_corpus(w.tokenizer, seed, 400000, 2000);
    Gpt2Config config = gpt2_config(data.n_vocab, size->n_ctx, size->n_layer, 4, size->d_model);
    TrainSettings settings = train_settings(&config);
    settings.seed = seed;
    settings.batch = 1024 / size->n_ctx;
    settings.steps = size->steps;
    settings.warmup = size->steps / 10;
    Trainer t = trainer_create(&settings, &data, NULL);
    Progress bar = progress_begin("training a small model", size->steps);
    while (t.step < settings.steps) {
        trainer_step(&t);
        progress_update(&bar, t.step, "loss %.3f", (double)t.log[t.step - 1].loss);
    }
    progress_end(&bar);
    w.model = t.model;
    t.model = NULL; /* it stays with the writer */
    trainer_free(&t);
    dataset_free(&data);
    return w;
}

void writer_set_ids(Writer *w, const char *ids) {
    free(w->prompt);
    w->prompt = ids_parse("--ids", ids, w->model->config.n_vocab, &w->n_prompt);
}

int *writer_encode(const Writer *w, const char *text, size_t bytes, size_t *n) {
    if (!w->tokenizer) die("this model has no vocab.json and merges.txt: give the prompt as --ids");
    int *tokens = tokenizer_encode(w->tokenizer, text, bytes, false, n);
    if (*n == 0) {
        tokens = checked_realloc(tokens, 1, sizeof *tokens);
        tokens[(*n)++] = tokenizer_eot(w->tokenizer);
    }
    return tokens;
}

void writer_set_prompt(Writer *w, const char *text) {
    size_t bytes = strlen(text);
    char *input = strcmp(text, "-") == 0 ? file_read(text, &bytes) : checked_strdup(text);
    free(w->prompt);
    w->prompt = writer_encode(w, input, bytes, &w->n_prompt);
    free(input);
}

int writer_token(const Writer *w, const char *text) {
    size_t n;
    int *tokens;
    if (!w->tokenizer || (*text && text[strspn(text, "0123456789")] == '\0')) {
        tokens = ids_parse("--stop-token", text, w->model->config.n_vocab, &n);
    } else {
        if (strcmp(text, "\\n") == 0) text = "\n";
        tokens = tokenizer_encode(w->tokenizer, text, strlen(text), true, &n);
    }
    if (n != 1) die("stop token '%s': %zu tokens of this vocabulary, expected one", text, n);
    int token = tokens[0];
    free(tokens);
    return token;
}

typedef struct {
    Writer *writer;
    Utf8Stream stream;
    bool begun; /* something was printed */
} Printer;

static void print_text(Writer *w, const char *text, size_t bytes) {
    if (!w->print_ids) fwrite(text, 1, bytes, stdout);
    w->written = checked_realloc(w->written, w->n_written + bytes + 1, 1);
    memcpy(w->written + w->n_written, text, bytes);
    w->n_written += bytes;
}

static void print_token(Printer *p, int token) {
    Writer *w = p->writer;
    if (w->print_ids) printf(p->begun ? " %d" : "%d", token);
    p->begun = true;
    if (!w->tokenizer) return;
    size_t bytes;
    const char *text = tokenizer_token(w->tokenizer, token, &bytes);
    char *whole = checked_alloc(bytes + UTF8_MAX_BYTES, 1);
    print_text(w, whole, utf8_stream_add(&p->stream, whole, text, bytes));
    free(whole);
}

static void print_end(Printer *p) {
    char rest[UTF8_MAX_BYTES];
    print_text(p->writer, rest, utf8_stream_flush(&p->stream, rest));
    print_text(p->writer, "\n", 1);
    if (p->writer->print_ids) putchar('\n');
    fflush(stdout);
}

static void print_new_token(void *printer, int token) {
    Printer *p = printer;
    latency_token(&p->writer->latency);
    print_token(p, token);
    output_flush();
}

void writer_print(Writer *w, const int *tokens, size_t n) {
    Printer printer = {.writer = w};
    for (size_t i = 0; i < n; i++) print_token(&printer, tokens[i]);
    print_end(&printer);
}

void writer_say_full(size_t n_new, size_t n_ctx, int last, const GenerateSettings *settings) {
    if (n_new == settings->max_new_tokens || last == settings->stop_token) return;
    fprintf(stderr, "stopped after %zu new tokens: the model's context of %zu is full (--crop goes on)\n",
            n_new, n_ctx);
}

size_t writer_write(Writer *w, LanguageModel lm, const GenerateSettings *settings, Random *random) {
    generate_check_prompt(w->n_prompt, lm, settings); /* before the prompt is printed */
    Printer printer = {.writer = w};
    int *tokens = checked_alloc(w->n_prompt + settings->max_new_tokens, sizeof *tokens);
    memcpy(tokens, w->prompt, w->n_prompt * sizeof *tokens);
    for (size_t i = 0; i < w->n_prompt; i++) print_token(&printer, tokens[i]);
    output_flush();
    latency_begin_text(&w->latency);
    size_t n = generate(tokens, w->n_prompt, lm, settings, random, print_new_token, &printer);
    print_end(&printer);
    writer_say_full(n - w->n_prompt, lm.n_ctx, tokens[n - 1], settings);
    free(tokens);
    return n - w->n_prompt;
}

void writer_free(Writer *w) {
    if (w->model) gpt2_free(w->model);
    if (w->tokenizer) tokenizer_free(w->tokenizer);
    free(w->prompt);
    free(w->written);
    latency_free(&w->latency);
    *w = (Writer){0};
}
