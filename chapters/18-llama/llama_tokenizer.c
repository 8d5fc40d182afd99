/* The tokenizer beside or in a model: see llama_tokenizer.h. */
#include "18-llama/llama_tokenizer.h"

#include <stdlib.h>
#include <unistd.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/llama_words.h"
#include "18-llama/nfc.h"
#include "base/error.h"
#include "files/file.h"

/* What tokenizer.json says in words of its own, a GGUF file says by its rule's name. */
static Tokenizer *load_gguf(const char *path) {
    static const WordRule *const rules[] = {&gpt2_words, &smollm_words, &qwen2_words,
                                            &llama3_words};
    static const char bos[] = "tokenizer.ggml.bos_token_id",
                      add_bos[] = "tokenizer.ggml.add_bos_token";
    Gguf *file = gguf_open(path);
    Tokenizer *t = gguf_tokenizer(file, rules, sizeof rules / sizeof *rules);
    if (t) {
        const WordRule *rule = pretokenizer_rule(t->pretokenizer);
        if (rule == &qwen2_words) t->normalize = nfc;
        t->ignore_merges = rule == &llama3_words;
        if (gguf_flag(file, add_bos, rule == &llama3_words))
            t->bos = (int)gguf_size(file, bos, 0, t->tokens.n - 1);
    }
    gguf_close(file);
    return t;
}

static Tokenizer *load_directory(const char *directory) {
    directory_finish(directory);
    char *json = path_join(directory, "tokenizer.json"),
         *vocab = path_join(directory, "vocab.json");
    Tokenizer *t = NULL;
    if (access(json, F_OK) == 0)
        t = tokenizer_json_load(json);
    else if (access(vocab, F_OK) == 0)
        t = tokenizer_load(directory);
    free(json);
    free(vocab);
    return t;
}

Tokenizer *llama_tokenizer_load(const char *path, size_t n_vocab) {
    Tokenizer *t = gguf_is_file(path) ? load_gguf(path) : load_directory(path);
    if (!t) return NULL;
    if (t->tokens.n > n_vocab)
        die("'%s': the tokenizer has %zu tokens, the model %zu", path, t->tokens.n,
            n_vocab);
    t->n_padding = n_vocab - t->tokens.n;
    return t;
}
