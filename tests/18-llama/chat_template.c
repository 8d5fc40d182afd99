/* The chat template of a model through files: llama_tokenizer.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/chat.h"
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

#define LOOP(message) "{% for message in messages %}" message "{% endfor %}"
#define REPLY(text) "{% if add_generation_prompt %}" text "{% endif %}"
#define CHATML                                                                         \
    "'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>'"

/* Templates of smol.json, what they make of a message " hi ", and what is said. */
static const struct {
    const char *jinja, *text, *warning;
} templates[] = {
    {LOOP("{{" CHATML " + '\\n'}}") REPLY("{{ '<|im_start|>assistant\\n' }}"),
     "<|im_start|>user\n hi <|im_end|>\n<|im_start|>assistant\n", NULL},
    {LOOP("<|im_start|>{{ message['role'] }}: {{ message['content'] }}<|im_end|>")
         REPLY("<|im_start|>assistant: "),
     "<|im_start|>user:  hi <|im_end|><|im_start|>assistant: ", NULL},
    {"{%- for message in messages -%}\n  {{ \"[\" + message.role + \"] \" }}\n  "
     "{{- message.content | trim }}\n{% endfor %}\n" REPLY("[assistant]"),
     "[user] hi\n[assistant]", NULL},
    {"{# it's #}\n{{ bos_token }}A\n" LOOP("{{ message.role ~ message.content }}")
         REPLY(""),
     "A\nuser hi ", NULL},
    {"{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nBe.<|im_end|>' }}"
     "{% endif %}" LOOP("{{" CHATML "}}") REPLY("{{ '<|im_start|>assistant\n' }}"),
     "<|im_start|>user\n hi <|im_end|>\n<|im_start|>assistant\n",
     "begins with a system"},
    {"{% if tools %}{{ '<|im_start|>system\n' }}{% else %}{{- "
     "'<|im_start|>system\nBe.' }}"
     "{% endif %}" LOOP("{{" CHATML "}}") REPLY("{{ '<|im_start|>assistant\n' }}"),
     "<|im_start|>user\n hi <|im_end|>\n<|im_start|>assistant\n",
     "begins with a system"},
    {LOOP("{{ message.role.upper() ~ message.content }}") REPLY("A"),
     "<|im_start|>user\n hi <|im_end|>\n<|im_start|>assistant\n", "not known here"},
    {LOOP("{{ message.role ~ ':' ~ message.content }}") REPLY("A"), "user: hi A", NULL},
    {"{% for m in messages %}" LOOP("{{" CHATML "}}") "{% endfor %}",
     "<|im_start|>user\n hi <|im_end|>\n<|im_start|>assistant\n", "not known here"},
};

Test(chat_template, is_read_or_said_to_be_another, .timeout = 30) {
    Tokenizer *t = tokenizer_json_load(golden_path("llama_bpe/smol.json"));
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        size_t n, bytes;
        t->chat_template = checked_strdup(templates[i].jinja);
        int *ids = chat_encode(t, &(ChatMessage){"user", " hi "}, 1, &n);
        char *text = tokenizer_decode(t, ids, n, &bytes);
        const char *warning = chat_warning(t, false), *says = templates[i].warning;
        CHECK(strcmp(text, templates[i].text) == 0, "%s: got \"%s\", expected \"%s\"",
              templates[i].jinja, text, templates[i].text);
        CHECK(!warning == !says && (!says || strstr(warning, says)),
              "%s: the warning is %s", templates[i].jinja, warning ? warning : "none");
        free(t->chat_template);
        free(ids);
        free(text);
    }
}

/* White space around a message goes with Llama 3's template; a token that begins a text
 * comes where the template names it, or, without one, where the tokenizer does. */
Test(chat_template, llama3_trims_and_begins, .timeout = 30) {
    static const char *const names[] = {"<|start_header_id|>", "<|end_header_id|>",
                                        "<|eot_id|>", "<|begin_of_text|>"};
    static const char right[] = "<|start_header_id|>user<|end_header_id|>\n\nhi"
                                "<|eot_id|><|start_header_id|>assistant"
                                "<|end_header_id|>\n\n";
    Tokenizer *t = tokenizer_json_load(golden_path("llama_bpe/llama3.json"));
    t->n_special = 0; /* ChatML's */
    for (size_t i = 0; i < 4; i++)
        tokenizer_add_special(
            t, (int)string_table_add(&t->tokens, names[i], strlen(names[i])), true);
    int bos = (int)t->tokens.n - 1;
    const struct {
        int bos, begin;
        const char *jinja;
        bool begins;
    } cases[] = {{bos, -1, NULL, true},         {-1, bos, NULL, false},
                 {bos, -1, "bos_token", true},  {-1, bos, "bos_token", true},
                 {bos, bos, "messages", false}, {-1, -1, "bos_token", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n, bytes;
        t->bos = cases[i].bos;
        t->begin = cases[i].begin;
        t->chat_template = cases[i].jinja ? checked_strdup(cases[i].jinja) : NULL;
        int *ids = chat_encode(t, &(ChatMessage){"user", "\n hi\t\r\n"}, 1, &n);
        bool begins = ids[0] == bos;
        char *text = tokenizer_decode(t, ids + begins, n - begins, &bytes);
        CHECK(begins == cases[i].begins, "case %zu: begins with token %d", i, ids[0]);
        CHECK(strcmp(text, right) == 0, "case %zu: \"%s\"", i, text);
        free(ids);
        free(text);
    }
}
