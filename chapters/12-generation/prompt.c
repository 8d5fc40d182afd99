/* A prompt: see prompt.h. */
#include "12-generation/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/ids.h"
#include "10-gpt2/reading.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

static void say_if_spelled(const Tokenizer *t, const char *text, size_t bytes) {
    int id;
    size_t n, at = tokenizer_find_special(t, text, bytes, &id, &n);
    if (id < 0) return;
    fprintf(stderr,
            "the prompt spells %.*s, which is read as text; with --special it is that "
            "token\n",
            (int)n, text + at);
}

Prompt prompt_of_bytes(const TextModel *m, const char *text, size_t bytes,
                       bool special) {
    if (!m->tokenizer)
        die("this model has no vocab.json and merges.txt, and no tokenizer.json: give "
            "the prompt as --ids");
    Prompt p;
    if (!special) say_if_spelled(m->tokenizer, text, bytes);
    p.tokens = reading_encode(m->tokenizer, text, bytes, special, &p.n);
    if (bytes == 0) {
        if (tokenizer_eot(m->tokenizer) < 0)
            die("an empty prompt is " END_OF_TEXT
                ", and the vocabulary has no such token");
        p.tokens = checked_realloc(p.tokens, p.n + 1, sizeof *p.tokens);
        p.tokens[p.n++] = tokenizer_eot(m->tokenizer);
    }
    return p;
}

Prompt prompt_of_text(const TextModel *m, const char *text, bool special) {
    size_t bytes = strlen(text);
    char *input = strcmp(text, "-") == 0 ? file_read(text, &bytes) : NULL;
    Prompt p = prompt_of_bytes(m, input ? input : text, bytes, special);
    free(input);
    return p;
}

Prompt prompt_of_ids(const TextModel *m, const char *ids, const char *mask) {
    Prompt p;
    p.tokens = ids_unpadded(ids, mask, m->model->config.n_vocab, &p.n);
    return p;
}

void prompt_free(Prompt *p) {
    free(p->tokens);
    *p = (Prompt){0};
}
