/* Reading and looking at a model: see reading.h. */
#include "10-gpt2/reading.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/family.h"
#include "base/error.h"
#include "base/memory.h"
#include "files/file.h"
#include "text/corpus.h"

Reading reading;

const Option model_options[] = {
    {"model", OPTION_TEXT, &reading.model,
     "directory of a model, e.g. build/model, or a GGUF file", 0, 0},
    {"random", OPTION_TEXT, &reading.random,
     "a random gpt2, gpt2-medium, gpt2-large or gpt2-xl in its place", 0, 0},
    {0}};

const Option ids_options[] = {
    {"ids", OPTION_TEXT, &reading.ids, "token ids to read, e.g. \"1 2 3\"", 0, 0},
    {"attention-mask", OPTION_TEXT, &reading.attention_mask,
     "of --ids: 0 for padding, 1 for a token, e.g. \"0 1 1\"", 0, 0},
    {0}};

const Option pass_options[] = {
    {"targets", OPTION_FLAG, &reading.targets,
     "each of --ids is the target of the one before: print the loss", 0, 0},
    {"grad", OPTION_FLAG, &reading.grad, "go backwards too (implies --targets)", 0, 0},
    {0}};

const Option look_options[] = {
    {"dump", OPTION_TEXT, &reading.dump,
     "write all that the pass computes to this file (dump.h)", 0, 0},
    {"info", OPTION_FLAG, &reading.info, "print config, parameters by part and memory",
     0, 0},
    {"check", OPTION_FLAG, &reading.check,
     "is the model's directory what was saved? Ends at the first difference", 0, 0},
    {0}};

const Option text_options[] = {{"text", OPTION_TEXT, &reading.text,
                                "a file, in the place of built-in stories", 0, 0},
                               {"vocab", OPTION_TEXT, &reading.vocab,
                                "directory of vocab.json and merges.txt for it", 0, 0},
                               {0}};

const Option out_options[] = {
    {"out", OPTION_TEXT, &reading.out, "the file or directory to write", 0, 0}, {0}};

const Option stride_options[] = {
    {"stride", OPTION_SIZE, &reading.stride,
     "tokens from one window to the next; 0: the model's context", 0, 1e9},
    {0}};

/* --- a model and its tokenizer --- */

static Gpt2 *random_model(uint64_t seed, ParamsMode mode) {
    Gpt2Config config = gpt2_named_config(reading.random);
    Random init = random_create(seed);
    return gpt2_create(&config, mode == PARAMS_MAPPED ? PARAMS_INFER : mode, &init);
}

bool model_is_named(void) {
    if (reading.model && reading.random)
        die_usage("--random and --model: expected one of them");
    return reading.model || reading.random;
}

Gpt2 *reading_model(uint64_t seed, ParamsMode mode) {
    if (!model_is_named()) die_usage("a --model is needed");
    Gpt2 *model =
        reading.random ? random_model(seed, mode) : family_load(reading.model, mode);
    if (reading.change) reading.change(model);
    return model;
}

void reading_free(Gpt2 *model) {
    if (reading.change_back) reading.change_back(model);
    gpt2_free(model);
}

Tokenizer *reading_tokenizer(const Gpt2 *model) {
    if (!reading.model && !reading.vocab) return NULL;
    return family_tokenizer(reading.vocab, reading.model, model->config.n_vocab);
}

int *reading_encode(const Tokenizer *t, const char *text, size_t bytes, bool special,
                    size_t *n) {
    int *ids = tokenizer_encode(t, text, bytes, special, n);
    if (t->bos < 0) return ids;
    ids = checked_realloc(ids, *n + 1, sizeof *ids);
    memmove(ids + 1, ids, (*n)++ * sizeof *ids);
    ids[0] = t->bos;
    return ids;
}

/* --text, or stories of the built-in language. */
static char *read_bytes(size_t *bytes) {
    if (reading.text) return file_read(reading.text, bytes);
    CorpusText corpus = corpus_generate(1000, 50000);
    *bytes = corpus.bytes;
    return corpus.text;
}

int *reading_text(const Tokenizer *t, size_t *n, size_t *bytes) {
    char *text = read_bytes(bytes);
    if (!t)
        die("'%s': there is no tokenizer; --vocab DIR says where one is",
            reading.model ? reading.model : reading.random);
    int *ids = reading_encode(t, text, *bytes, true, n);
    if (*n < 2)
        die("file '%s': %zu tokens, expected at least 2: the first is not predicted",
            reading.text, *n);
    free(text);
    return ids;
}
