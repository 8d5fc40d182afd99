/* Where a text begins and ends: see ends.h. */
#include "10-gpt2/ends.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "files/json.h"

static bool has_token(const Tokenizer *t, const cJSON *id) {
    return cJSON_IsNumber(id) && id->valuedouble >= 0 &&
           id->valuedouble < (double)t->tokens.n;
}

/* A token by its text, or an object that has it as "content"; -1: none. */
static int token_of(const Tokenizer *t, const cJSON *item) {
    if (cJSON_IsObject(item)) item = cJSON_GetObjectItemCaseSensitive(item, "content");
    const char *text = cJSON_GetStringValue(item);
    size_t id =
        text ? string_table_find(&t->tokens, text, strlen(text)) : STRING_NOT_FOUND;
    return id == STRING_NOT_FOUND ? -1 : (int)id;
}

/* The file that is read first decides; of ends every one counts. */
static void read_names(Tokenizer *t, const cJSON *config, const char *path) {
    int end = token_of(t, cJSON_GetObjectItemCaseSensitive(config, "eos_token"));
    if (end >= 0) tokenizer_add_end(t, end);
    t->begin = token_of(t, cJSON_GetObjectItemCaseSensitive(config, "bos_token"));
    t->pad = token_of(t, cJSON_GetObjectItemCaseSensitive(config, "pad_token"));
    t->prefix_space = json_bool(config, path, "add_prefix_space", t->prefix_space);
    if (t->prefix_space && pretokenizer_rule(t->pretokenizer) != &gpt2_words)
        die("file '%s': \"add_prefix_space\" is true, which is known here of GPT-2's "
            "rule alone",
            path);
}

/* transformers obeys these where it makes the tokenizer of vocab.json and merges.txt;
 * tokenizer.json says itself what is added. */
static void read_added(Tokenizer *t, const cJSON *config, const char *path) {
    const char *const bos = "add_bos_token", *const eos = "add_eos_token";
    if (json_bool(config, path, eos, false))
        die("file '%s': \"%s\" is true: an end behind every text is not known here",
            path, eos);
    bool has_none = cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(config, "bos_token"));
    if (json_bool(config, path, bos, false) && !has_none) t->bos = tokenizer_begin(t);
}

static void read_ids(Tokenizer *t, const cJSON *config, const char *path) {
    (void)path;
    const cJSON *begin = cJSON_GetObjectItemCaseSensitive(config, "bos_token_id"),
                *pad = cJSON_GetObjectItemCaseSensitive(config, "pad_token_id"),
                *end = cJSON_GetObjectItemCaseSensitive(config, "eos_token_id"), *id;
    if (t->begin < 0 && has_token(t, begin)) t->begin = begin->valueint;
    if (t->pad < 0 && has_token(t, pad)) t->pad = pad->valueint;
    if (has_token(t, end)) tokenizer_add_end(t, end->valueint);
    if (!cJSON_IsArray(end)) return;
    cJSON_ArrayForEach(id, end) {
        if (has_token(t, id)) tokenizer_add_end(t, id->valueint);
    }
}

void read_ends(Tokenizer *t, const char *directory) {
    static const struct {
        const char *name;
        void (*read)(Tokenizer *t, const cJSON *config, const char *path);
    } files[] = {{"tokenizer_config.json", read_names},
                 {"tokenizer_config.json", read_added},
                 {"config.json", read_ids},
                 {"generation_config.json", read_ids}};
    char *json = path_join(directory, "tokenizer.json");
    bool has_json = access(json, F_OK) == 0;
    free(json);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = path_join(directory, files[i].name);
        bool obeyed = files[i].read != read_added || !has_json;
        if (obeyed && access(path, F_OK) == 0) {
            cJSON *config = json_read_object(path);
            files[i].read(t, config, path);
            cJSON_Delete(config);
        }
        free(path);
    }
    if (t->eot < 0 && t->n_ends) t->eot = t->ends[0];
}
