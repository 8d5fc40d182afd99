/* The chat template of a model through files: llama_tokenizer.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/remove_tree.h"
#include "check/check.h"
#include "check/golden.h"
#include "files/file.h"

enum { TOKENS = 460 };

/* A model's chat template stays in files made of it: in both forms, and read from the
 * file that newer directories have. */
Test(chat_template, is_kept, .timeout = 30) {
    static const char text[] = "{% for m in messages %}\"\\n\"é{{ m }}{% endfor %}\n";
    char *directory = new_directory();
    char *gguf = path_join(directory, "t.gguf"),
         *jinja = path_join(directory, "chat_template.jinja");
    Tokenizer *t = tokenizer_json_load(golden_path("llama_bpe/smol.json"));
    t->chat_template = checked_alloc(sizeof text, 1);
    memcpy(t->chat_template, text, sizeof text);
    GgufWriter *w = gguf_begin(gguf);
    gguf_put_tokenizer(w, t);
    gguf_commit(w);
    for (int way = 0; way < 3; way++) {
        Tokenizer *from = way == 0 ? llama_tokenizer_load(gguf, TOKENS)
                                   : llama_tokenizer_load(directory, TOKENS);
        CHECK(from->chat_template && strcmp(from->chat_template, text) == 0,
              "way %d: the template is %s", way,
              from->chat_template ? from->chat_template : "none");
        if (way == 1) { /* then as a file of its own */
            free(from->chat_template);
            from->chat_template = NULL;
            FileWriter f = file_begin(jinja);
            file_printf(&f, "%s", text);
            file_commit(&f);
        }
        Directory *d = directory_open(directory);
        tokenizer_json_save(from, d);
        directory_close(d);
        tokenizer_free(from);
    }
    unlink(jinja);
    unlink(gguf);
    unlink(path_join(directory, "tokenizer.json"));
    unlink(path_join(directory, "tokenizer_config.json"));
    rmdir(directory);
    tokenizer_free(t);
}
