/* Tests of files that other programs wrote, or people changed: what they say of ends
 * and rules is taken, or refused with the reason. */
#include <string.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/llama_tokenizer.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"

enum { TOKENS = 460 };

static char *const directory = scratch;

static void write_file(const char *name, const char *text) {
    FileWriter w = file_begin(path_join(directory, name));
    file_printf(&w, "%s", text);
    file_commit(&w);
}

static void check_ends(const Tokenizer *t, const char *what) {
    CHECK(t->n_ends == 2 && t->ends[0] == 2 && t->ends[1] == 0 && t->begin == 1 &&
              t->pad == 3,
          "%s: %zu ends, the first %d, begin %d, padding %d", what, t->n_ends,
          t->ends[0], t->begin, t->pad);
}

/* What the files beside a model say of ends and beginnings, there and in a GGUF. */
Test(llama_files, ends_are_kept, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = path_join(directory, "t.gguf");
    Tokenizer *qwen = tokenizer_json_load(golden_path("llama_bpe/qwen.json"));
    Directory *d = directory_open(directory);
    tokenizer_json_save(qwen, d);
    directory_close(d);
    write_file("tokenizer_config.json",
               "{\"eos_token\": {\"content\": \"<|im_end|>\"}}");
    write_file("config.json", "{\"bos_token_id\": 1, \"eos_token_id\": 50256}");
    write_file("generation_config.json", "{\"eos_token_id\": [2, 0], "
                                         "\"pad_token_id\": 3}");
    Tokenizer *t = llama_tokenizer_load(directory, TOKENS);
    check_ends(t, "directory");
    GgufWriter *w = gguf_begin(path);
    gguf_put_tokenizer(w, t);
    gguf_commit(w);
    check_ends(llama_tokenizer_load(path, TOKENS), "GGUF");
}
