/* The tokenizer that belongs to a model: see model_tokenizer.h. */
#include "10-gpt2/model_tokenizer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "base/error.h"
#include "files/file.h"

static bool has_vocabulary(const char *directory) {
    char *path = path_join(directory, "vocab.json");
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

static Tokenizer *load_gguf(const char *path) {
    static const WordRule *const rules[] = {&gpt2_words};
    Gguf *file = gguf_open(path);
    Tokenizer *t = gguf_tokenizer(file, rules, 1);
    gguf_close(file);
    return t;
}

Tokenizer *model_tokenizer(const char *vocabulary, const char *model_directory,
                           size_t n_vocab) {
    const char *path = vocabulary ? vocabulary : model_directory;
    bool in_file = gguf_is_file(path);
    Tokenizer *t = NULL;
    if (in_file)
        t = load_gguf(path);
    else if (vocabulary || has_vocabulary(path))
        t = tokenizer_load(path);
    if (!t) return n_vocab == TOKENIZER_MIN_VOCAB ? tokenizer_bytes() : NULL;
    if (tokenizer_n_vocab(t) != n_vocab)
        die("%s '%s': the vocabulary has %zu tokens, the model %zu",
            in_file ? "file" : "directory", path, tokenizer_n_vocab(t), n_vocab);
    return t;
}
