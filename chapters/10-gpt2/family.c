/* Families of models: see family.h. */
#include "10-gpt2/family.h"

#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "10-gpt2/model_tokenizer.h"
#include "base/error.h"
#include "checkpoints/gguf.h"

enum { MOST_FAMILIES = 4 };
static const ModelFamily *added[MOST_FAMILIES];
static size_t n_added;

void family_add(const ModelFamily *family) {
    if (n_added == MOST_FAMILIES) die("too many families: %zu", n_added);
    added[n_added++] = family;
}

/* The family of the model at the path, or NULL for GPT-2. */
static const ModelFamily *family_of_path(const char *path) {
    for (size_t i = n_added; i-- > 0;) {
        if (added[i]->is(path)) return added[i];
    }
    return NULL;
}

static const ModelFamily *family_of_model(const Gpt2 *model) {
    for (size_t i = n_added; i-- > 0;) {
        const ModelFamily *f = added[i];
        if (f->describes && f->describes(&model->config)) return f;
    }
    return NULL;
}

Gpt2 *family_load(const char *path, ParamsMode mode) {
    const ModelFamily *family = family_of_path(path);
    return family ? family->load(path, mode) : gpt2_load(path, mode);
}

Tokenizer *family_tokenizer(const char *vocabulary, const char *path, size_t n_vocab) {
    const char *from = vocabulary ? vocabulary : path;
    const ModelFamily *family = family_of_path(from);
    return family && family->tokenizer ? family->tokenizer(from, n_vocab)
                                       : model_tokenizer(vocabulary, path, n_vocab);
}

bool is_gguf_path(const char *path) {
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".gguf") == 0;
}

void family_add_files(const Gpt2 *model, const Tokenizer *tokenizer,
                      Directory *directory) {
    const ModelFamily *family = family_of_model(model);
    (family ? family->save : gpt2_save)(model, tokenizer, directory);
}

void family_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path) {
    if (is_gguf_path(path)) {
        const ModelFamily *family = family_of_model(model);
        (family ? family->save_gguf : gguf_model_save)(model, tokenizer, path);
        return;
    }
    Directory *directory = directory_open(path);
    family_add_files(model, tokenizer, directory);
    directory_close(directory);
}

void family_expect_saves(const char *from, const WeightType *type, const char *path) {
    const ModelFamily *family = from ? family_of_path(from) : NULL;
    bool is_float = type == &weight_f32 || type == &weight_f16 || type == &weight_bf16;
    if (is_gguf_path(path) && !gguf_has_type(type))
        die_usage("--out '%s': a GGUF file has no weights of type %s; a name without "
                  ".gguf makes a directory",
                  path, type->name);
    if (!is_gguf_path(path) && family && family->saves_floats_only && !is_float)
        die_usage("--out '%s': a directory of this family has no weights of type %s; a "
                  "name that ends in .gguf makes a file",
                  path, type->name);
}
