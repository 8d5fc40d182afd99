/* The model that a training starts from: see start_model.h. */
#include "11-training/start_model.h"

#include <string.h>
#include <sys/stat.h>

#include "11-training/train.h"
#include "base/error.h"

static bool is_same_place(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* Options that say what a new model is. */
static void expect_none(const Option *table, const char *path) {
    for (; table && table->name; table++) {
        if (option_is_given(table->value))
            die_usage("--%s: the model of '%s' is trained as it is", table->name, path);
    }
}

const char *start_path(const RunOptions *o) {
    const char *path = o->from;
    if (path && o->resume) die_usage("--from and --resume: expected one of them");
    if (path && o->save_directory && is_same_place(path, o->save_directory))
        die_usage("--from '%s': is not saved onto itself; choose another name", path);
    if (o->resume && trainer_started_from_model(o->save_directory))
        path = o->save_directory;
    if (!path) return NULL;
    expect_none(shape_options, path);
    expect_none(o->family_options, path);
    return path;
}

Gpt2 *start_model(const char *path, const RunOptions *o) {
    Gpt2 *model = family_load(path, PARAMS_TRAIN);
    gpt2_set_dropout(model, (float)o->dropout);
    return model;
}

size_t start_length(const char *path, const RunOptions *o, const Gpt2 *model) {
    size_t most = model->config.n_ctx;
    if (o->n_ctx <= most) return o->n_ctx;
    if (option_is_given(&run_options.n_ctx))
        die_usage("--context %zu: the model of '%s' has %zu", o->n_ctx, path, most);
    return most;
}

static bool is_same_vocabulary(const Tokenizer *a, const Tokenizer *b) {
    char of_a[CHECKSUM_TEXT], of_b[CHECKSUM_TEXT];
    tokenizer_checksum(a, of_a);
    tokenizer_checksum(b, of_b);
    return strcmp(of_a, of_b) == 0;
}

Tokenizer *start_tokenizer(const char *path, const RunOptions *o, const Gpt2 *model) {
    size_t n_vocab = model->config.n_vocab;
    Tokenizer *own = family_tokenizer(NULL, path, n_vocab);
    if (!own && !o->vocab)
        die("'%s': there is no vocabulary; --vocab DIR says where one is", path);
    if (!o->vocab) return own;
    Tokenizer *other = family_tokenizer(o->vocab, path, n_vocab);
    if (own && !is_same_vocabulary(own, other))
        die_usage("--vocab '%s': the model of '%s' has another one", o->vocab, path);
    if (own) tokenizer_free(own);
    return other;
}
