/* LLaMA's family, chats and saving, as the options say: see options.h. */
#include "18-llama/options.h"

#include <stdio.h>
#include <string.h>

#include "10-gpt2/family.h"
#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "18-llama/chat.h"
#include "18-llama/llama_train.h"
#include "base/error.h"

static const char *gguf_path, *directory_path, *chat_text, *system_text;

const Option chat_options[] = {
    {"chat", OPTION_TEXT, &chat_text, "a message that the model answers", 0, 0},
    {"system", OPTION_TEXT, &system_text, "with --chat: who it is told to be", 0, 0},
    {0},
};

const Option save_options[] = {
    {"save-gguf", OPTION_TEXT, &gguf_path, "write the model to this GGUF file", 0, 0},
    {"save-hf", OPTION_TEXT, &directory_path,
     "write the model to this Hugging Face directory", 0, 0},
    {0},
};

/* The message in the model's template, behind that of --system, takes the place of a
 * prompt; what ends a reply ends the text. */
static void make_prompt(const TextModel *m) {
    if (!m->tokenizer) die("--chat: the model has no tokenizer");
    ChatMessage messages[2] = {{"system", system_text}, {"user", chat_text}};
    size_t first = system_text ? 0 : 1;
    const char *warning = chat_warning(m->tokenizer, system_text);
    if (warning) fprintf(stderr, "%s\n", warning);
    writing.made.tokens =
        chat_encode(m->tokenizer, messages + first, 2 - first, &writing.made.n);
    writing.made_stop = chat_end(m->tokenizer);
}

static void answer(const Settings *settings) {
    if (!model_is_named()) die_usage("--chat: needs a --model");
    if (reading.ids || writing.prompt)
        die_usage("--chat: takes the place of --prompt and --ids");
    if (writing.special) die_usage("--special: a message to --chat is text");
    if (caching.batch || caching.bench)
        die_usage("--chat: is one prompt, without --batch and --bench");
    caching_check(settings);
    writing.needs_text = true;
    TextModel m = writing_model(settings->seed);
    make_prompt(&m);
    write_with_cache(&m, settings);
    prompt_free(&writing.made);
    writing_model_free(&m);
}

/* --prompt is the message. */
static void chat(const Settings *settings) {
    if (!model_is_named() || !writing.prompt)
        die_usage("chat: --model PATH and --prompt are needed");
    chat_text = writing.prompt;
    writing.prompt = NULL;
    answer(settings);
}

Command chat_command = {"chat",
                        "answers a message",
                        "--model build/model.gguf --prompt \"Who are you?\"",
                        {model_options, writing_options, cache_options, chat_options},
                        chat};

bool use_model_of_any_family(const Settings *settings) {
    if (system_text && !chat_text) die_usage("--system: belongs to --chat");
    if (gguf_path) save_coded(gguf_path, settings->seed);
    if (directory_path) save_coded(directory_path, settings->seed);
    if (chat_text) answer(settings);
    bool done = gguf_path || directory_path || chat_text;
    return (done && !look_is_asked()) || use_model(settings);
}

/* --- training one --- */

static const char *family_name = "llama";

static const Option train_options[] = {
    {"family", OPTION_TEXT, &family_name, "llama or gpt2", 0, 0},
    {"kv-heads", OPTION_SIZE, &llama_training.n_kv_head,
     "llama: heads of keys and values; 0: as many as --heads", 0, 96},
    {"ffn", OPTION_SIZE, &llama_training.d_ff,
     "llama: hidden units of the FFN; 0: 8/3 of --width", 0, 1e5},
    {"base", OPTION_DOUBLE, &llama_training.rope_base, "llama: of the rotary positions",
     1, 1e9},
    {0},
};

static void train(const Settings *settings) {
    bool gpt2 = strcmp(family_name, "gpt2") == 0;
    if (!gpt2 && strcmp(family_name, "llama") != 0)
        die_usage("--family '%s': expected llama or gpt2", family_name);
    if (gpt2 && (llama_training.n_kv_head || llama_training.d_ff))
        die_usage("--kv-heads, --ffn: belong to --family llama");
    run_options.family = gpt2 ? NULL : &llama_family;
    run_as_told(settings);
}

void llama_start(void) {
    family_add(&llama_family);
    command_add_options(&train_command, train_options);
    run_options.family_options = train_options;
    train_command.run = train;
}
