/* The tokenizer that belongs to a model: see model_tokenizer.h. */
#include "10-gpt2/model_tokenizer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "10-gpt2/ends.h"
#include "10-gpt2/gguf_tokenizer.h"
#include "10-gpt2/tokenizer_json.h"
#include "base/error.h"
#include "files/file.h"

static const WordRule *const rules[] = {&gpt2_words};

static Tokenizer *load_gguf(const char *path) {
    Gguf *file = gguf_open(path);
    Tokenizer *t = gguf_tokenizer(file, rules, 1);
    gguf_close(file);
    return t;
}

/* vocab.json and merges.txt, or tokenizer.json alone, as newer directories have it;
 * NULL where there is neither, unless one is `needed`. */
static Tokenizer *load_directory(const char *directory, bool needed) {
    directory_finish(directory);
    char *vocab = path_join(directory, "vocab.json"),
         *json = path_join(directory, "tokenizer.json");
    Tokenizer *t = NULL;
    if (access(vocab, F_OK) == 0)
        t = tokenizer_load(directory);
    else if (access(json, F_OK) == 0)
        t = tokenizer_json_read(json, rules, 1, NULL);
    else if (needed)
        t = tokenizer_load(directory);
    if (t) read_ends(t, directory);
    free(vocab);
    free(json);
    return t;
}

Tokenizer *model_tokenizer(const char *vocabulary, const char *model_directory,
                           size_t n_vocab) {
    const char *path = vocabulary ? vocabulary : model_directory;
    bool in_file = gguf_is_file(path);
    Tokenizer *t = in_file ? load_gguf(path) : load_directory(path, vocabulary);
    if (!t) return n_vocab == TOKENIZER_MIN_VOCAB ? tokenizer_bytes() : NULL;
    if (t->tokens.n > n_vocab)
        die("%s '%s': the vocabulary has %zu tokens, the model %zu",
            in_file ? "file" : "directory", path, t->tokens.n, n_vocab);
    t->n_padding = n_vocab - t->tokens.n;
    return t;
}
