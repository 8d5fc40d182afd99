/* A published model and a text: see published.h. */
#include "18-llama/experiments/published.h"

#include <stdio.h>
#include <stdlib.h>

#include "10-gpt2/reading.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"
#include "files/file.h"

static const char text_place[] = "chapters/18-llama/experiments/prose.txt";

bool published_begin(Published *p, size_t least) {
    const char *path = reading.model;
    if (!path) {
        printf("skipped: it needs a --model (a published one: see the lesson)\n");
        return false;
    }
    p->model = llama_load(path, PARAMS_MAPPED);
    Tokenizer *tokenizer = llama_tokenizer_load(path, p->model->config.n_vocab);
    if (!tokenizer) die("file '%s': there is no tokenizer", path);
    size_t bytes;
    char *text = file_read(text_place, &bytes);
    p->tokens = tokenizer_encode(tokenizer, text, bytes, false, &p->n);
    if (p->n < least)
        die("file '%s': %zu tokens, expected %zu", text_place, p->n, least);
    free(text);
    tokenizer_free(tokenizer);
    return true;
}

void published_end(Published *p) {
    gpt2_free(p->model);
    free(p->tokens);
}
