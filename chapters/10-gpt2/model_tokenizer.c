/* The tokenizer that belongs to a model: see model_tokenizer.h. */
#include "10-gpt2/model_tokenizer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"
#include "file.h"

static bool has_vocabulary(const char *directory) {
    char *path = path_join(directory, "vocab.json");
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

Tokenizer *model_tokenizer(const char *vocabulary, const char *model_directory, size_t n_vocab) {
    const char *directory = vocabulary ? vocabulary : model_directory;
    if (!vocabulary && !has_vocabulary(directory)) {
        return n_vocab == TOKENIZER_MIN_VOCAB ? tokenizer_bytes() : NULL;
    }
    Tokenizer *t = tokenizer_load(directory);
    if (tokenizer_n_vocab(t) != n_vocab)
        die("directory '%s': the vocabulary has %zu tokens, the model %zu", directory, tokenizer_n_vocab(t),
            n_vocab);
    return t;
}
