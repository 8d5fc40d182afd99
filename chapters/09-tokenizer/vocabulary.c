/* vocab.json and merges.txt, read and written: see tokenizer.h and vocabulary.h. */
#include "09-tokenizer/vocabulary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "09-tokenizer/tokenizer.h"
#include "09-tokenizer/utf8.h"
#include "base/error.h"
#include "files/file.h"
#include "files/json.h"
#include "base/memory.h"

enum { N_BYTES = 256, FIRST_SUBSTITUTE = 256 };

static bool is_printable(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) ||
           byte >= 0xae;
}

int byte_in_order(int number) {
    for (int printable = 1, n = 0; printable >= 0; printable--) {
        for (int byte = 0; byte < N_BYTES; byte++) {
            if (is_printable(byte) == printable && n++ == number) return byte;
        }
    }
    die("byte number %d: expected 0 to %d", number, N_BYTES - 1);
}

int byte_letter(int byte) {
    int letter = FIRST_SUBSTITUTE;
    for (int b = 0; b < byte; b++) letter += !is_printable(b);
    return is_printable(byte) ? byte : letter;
}

/* Spells n bytes of letters out as bytes (never more of them) and returns how many;
 * SIZE_MAX for a character that stands for no byte. All letters are below U+0200: one
 * or two bytes of UTF-8. */
static size_t letters_to_bytes(char *out, const char *letters, size_t n,
                               const int *byte_of) {
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        int length = utf8_length(letters + i, n - i);
        if (length != 1 && length != 2) return SIZE_MAX;
        int letter = length == 1 ? letters[i]
                                 : (letters[i] & 0x1f) << 6 | (letters[i + 1] & 0x3f);
        if (letter >= VOCABULARY_LETTERS || byte_of[letter] < 0) return SIZE_MAX;
        out[used++] = (char)byte_of[letter];
        i += (size_t)length;
    }
    return used;
}

/* --- a tokenizer, entry by entry --- */

Vocabulary vocabulary_begin(const char *path) {
    Vocabulary v = {.tokenizer = tokenizer_empty(), .path = path};
    for (int i = 0; i < VOCABULARY_LETTERS; i++) v.byte_of[i] = -1;
    for (int b = 0; b < N_BYTES; b++) v.byte_of[byte_letter(b)] = b;
    return v;
}

/* Room for n letters as bytes. A token that is longer than a text is no token. */
static void reserve(Vocabulary *v, size_t n) {
    enum { MOST_LETTERS = 1 << 20 };
    if (n > MOST_LETTERS)
        die("file '%s': a token or a merge of %zu bytes, expected at most %d", v->path,
            n, MOST_LETTERS);
    if (n < v->capacity) return;
    v->capacity = 2 * n + 64;
    v->bytes = checked_realloc(v->bytes, v->capacity, 1);
}

void vocabulary_add_token(Vocabulary *v, const char *letters, size_t n) {
    StringTable *tokens = &v->tokenizer->tokens;
    reserve(v, n);
    size_t id = tokens->n, length = letters_to_bytes(v->bytes, letters, n, v->byte_of);
    if (length == SIZE_MAX && memchr(letters, ' ', n)) { /* a mark, as it is spelled */
        vocabulary_add_special(v, letters, n, true);
        return;
    }
    if (length == SIZE_MAX)
        die("file '%s': token '%.*s' is not written in GPT-2's letters", v->path,
            (int)n, letters);
    if (string_table_add(tokens, v->bytes, length) != id)
        die("file '%s': token '%.*s' stands there twice", v->path, (int)n, letters);
}

void vocabulary_add_special(Vocabulary *v, const char *text, size_t n, bool control) {
    StringTable *tokens = &v->tokenizer->tokens;
    size_t id = tokens->n;
    if (string_table_add(tokens, text, n) != id)
        die("file '%s': token '%.*s' stands there twice", v->path, (int)n, text);
    tokenizer_add_special(v->tokenizer, (int)id, control);
}

/* The id of a token, or -1. */
static int find_token(const Tokenizer *t, const char *bytes, size_t n) {
    size_t id = string_table_find(&t->tokens, bytes, n);
    return id == STRING_NOT_FOUND ? -1 : (int)id;
}

/* The token that ends a document; of GPT-2's vocabularies it is the special one. */
static void find_end_of_text(Vocabulary *v) {
    static const char other_name[] = "<|end_of_text|>"; /* Llama 3's */
    Tokenizer *t = v->tokenizer;
    t->eot = find_token(t, END_OF_TEXT, strlen(END_OF_TEXT));
    if (v->loose && t->eot < 0) t->eot = find_token(t, other_name, strlen(other_name));
    if (v->loose) return;
    if (t->eot >= 0) tokenizer_add_special(t, t->eot, true);
}

void vocabulary_end_tokens(Vocabulary *v, const char *merges_path) {
    Tokenizer *t = v->tokenizer;
    v->made = checked_alloc(t->tokens.n, sizeof *v->made);
    for (int b = 0; b < N_BYTES; b++) {
        int id = t->byte_token[b] = find_token(t, &(char){(char)b}, 1);
        if (id < 0 && !v->loose)
            die("file '%s': there is no token for the byte 0x%02x", v->path,
                (unsigned)b);
        if (id >= 0) v->made[id] = true;
    }
    find_end_of_text(v);
    v->path = merges_path;
}

void vocabulary_add_merge(Vocabulary *v, const char *place, size_t number,
                          const char *text, size_t n) {
    Tokenizer *t = v->tokenizer;
    reserve(v, n);
    char *bytes = v->bytes;
    const char *blank = memchr(text, ' ', n);
    size_t n_left = blank ? (size_t)(blank - text) : 0;
    size_t left = blank ? letters_to_bytes(bytes, text, n_left, v->byte_of) : SIZE_MAX;
    size_t right = left == SIZE_MAX ? SIZE_MAX
                                    : letters_to_bytes(bytes + left, blank + 1,
                                                       n - n_left - 1, v->byte_of);
    if (right == SIZE_MAX || left == 0 || right == 0) {
        die("file '%s': %s %zu: expected two tokens in GPT-2's letters and a blank "
            "between them",
            v->path, place, number);
    }
    size_t ids[3] = {string_table_find(&t->tokens, bytes, left),
                     string_table_find(&t->tokens, bytes + left, right),
                     string_table_find(&t->tokens, bytes, left + right)};
    for (int i = 0; i < 3; i++) {
        if (ids[i] == STRING_NOT_FOUND)
            die("file '%s': %s %zu: '%.*s' is not in vocab.json", v->path, place,
                number, (int)n, text);
        if (i < 2 && !v->loose && !v->made[ids[i]]) {
            die("file '%s': %s %zu: '%.*s' uses a token that no earlier %s makes",
                v->path, place, number, (int)n, text, place);
        }
    }
    if (merge_table_find(&t->merges, (int)ids[0], (int)ids[1]))
        die("file '%s': %s %zu: '%.*s' stands there twice", v->path, place, number,
            (int)n, text);
    v->made[ids[2]] = true;
    merge_table_add(&t->merges, (int)ids[0], (int)ids[1], (int)ids[2]);
}

Tokenizer *vocabulary_end(Vocabulary *v, const WordRule *rule) {
    v->tokenizer->pretokenizer = pretokenizer_create(rule);
    free(v->made);
    free(v->bytes);
    return v->tokenizer;
}

/* --- vocab.json and merges.txt --- */

/* The entries of vocab.json in the order of their ids, which must be 0 .. n-1. */
static const cJSON **entries_by_id(const char *path, const cJSON *json, size_t *n) {
    *n = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, json)++ *n;
    const cJSON **by_id = checked_alloc(*n, sizeof(cJSON *));
    cJSON_ArrayForEach(entry, json) {
        double id = cJSON_IsNumber(entry) ? entry->valuedouble : -1;
        if (!(id >= 0 && id < (double)*n) || id != (double)(size_t)id) {
            die("file '%s': token '%s' has no id from 0 to %zu", path, entry->string,
                *n - 1);
        }
        if (by_id[(size_t)id]) die("file '%s': id %.0f stands there twice", path, id);
        by_id[(size_t)id] = entry;
    }
    return by_id;
}

static void load_tokens(Vocabulary *v) {
    size_t n;
    cJSON *json = json_read_object(v->path);
    const cJSON **by_id = entries_by_id(v->path, json, &n);
    for (size_t id = 0; id < n; id++)
        vocabulary_add_token(v, by_id[id]->string, strlen(by_id[id]->string));
    free(by_id);
    cJSON_Delete(json);
}

/* added_tokens.json, which need not be there: tokens that are found in a text before it
 * is cut into words, with the ids behind those of vocab.json. */
static void load_added(Vocabulary *v, const char *directory) {
    char *path = path_join(directory, "added_tokens.json");
    if (access(path, F_OK) == 0) {
        cJSON *json = json_read_object(path);
        size_t n = (size_t)cJSON_GetArraySize(json), first = v->tokenizer->tokens.n;
        const char *vocab = v->path;
        v->path = path;
        for (size_t i = 0; i < n; i++) {
            const cJSON *entry = json->child;
            while (entry && !(cJSON_IsNumber(entry) &&
                              entry->valuedouble == (double)(first + i)))
                entry = entry->next;
            if (!entry)
                die("file '%s': no token has the id %zu, expected %zu to %zu", path,
                    first + i, first, first + n - 1);
            vocabulary_add_special(v, entry->string, strlen(entry->string), true);
        }
        v->path = vocab;
        cJSON_Delete(json);
    }
    free(path);
}

static void load_merges(Vocabulary *v) {
    enum { MOST_BYTES = 1 << 28 };
    static const char version[] = "#version";
    size_t size, number = 0;
    char *text = file_read_regular(v->path, MOST_BYTES, &size);
    file_expect_content(v->path, text, size, true);
    for (const char *line = text; line < text + size;) {
        const char *end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end) end = text + size;
        size_t n = (size_t)(end - line);
        if (n && line[n - 1] == '\r') n--; /* git on Windows writes CRLF */
        number++;
        bool is_version = number == 1 && n >= strlen(version) &&
                          memcmp(line, version, strlen(version)) == 0;
        if (n && !is_version) vocabulary_add_merge(v, "line", number, line, n);
        line = end + 1;
    }
    free(text);
}

Tokenizer *tokenizer_load(const char *directory) {
    return vocabulary_load(directory, &gpt2_words);
}

Tokenizer *vocabulary_load(const char *directory, const WordRule *rule) {
    directory_finish(directory);
    char *vocab = path_join(directory, "vocab.json"),
         *merges = path_join(directory, "merges.txt");
    Vocabulary v = vocabulary_begin(vocab);
    v.loose = rule != &gpt2_words;
    load_tokens(&v);
    load_added(&v, directory);
    vocabulary_end_tokens(&v, merges);
    load_merges(&v);
    free(vocab);
    free(merges);
    return vocabulary_end(&v, rule);
}

size_t vocabulary_letters(char *out, const Tokenizer *t, int id) {
    size_t n, used = 0;
    const char *bytes = tokenizer_token(t, id, &n);
    for (size_t i = 0; i < n; i++) {
        int letter = byte_letter((unsigned char)bytes[i]);
        if (letter >= 0x80) out[used++] = (char)(0xc0 | letter >> 6);
        out[used++] = (char)(letter < 0x80 ? letter : 0x80 | (letter & 0x3f));
    }
    return used;
}

/* A token in letters; with `json`, quotes and backslashes are escaped. END_OF_TEXT has
 * only letters that stand for themselves. */
static void write_letters(FileWriter *w, const Tokenizer *t, int id, bool json) {
    size_t bytes;
    tokenizer_token(t, id, &bytes);
    char *letters = checked_alloc(2 * bytes + 1, 1);
    size_t n = vocabulary_letters(letters, t, id);
    for (size_t i = 0; i < n; i++) {
        if (json && (letters[i] == '"' || letters[i] == '\\')) file_write(w, "\\", 1);
        file_write(w, letters + i, 1);
    }
    free(letters);
}

void tokenizer_save(const Tokenizer *t, Directory *directory) {
    FileWriter *vocab = directory_add(directory, "vocab.json"),
               *merges = directory_add(directory, "merges.txt");
    for (size_t id = 0; id < t->tokens.n; id++) {
        file_printf(vocab, id ? ", \"" : "{\"");
        write_letters(vocab, t, (int)id, true);
        file_printf(vocab, "\": %zu", id);
    }
    file_printf(vocab, "}\n");
    file_printf(merges, "#version: 0.2\n");
    for (size_t i = 0; i < t->merges.n; i++) {
        write_letters(merges, t, t->merges.items[i].left, false);
        file_printf(merges, " ");
        write_letters(merges, t, t->merges.items[i].right, false);
        file_printf(merges, "\n");
    }
}

void tokenizer_checksum(const Tokenizer *t, char text[CHECKSUM_TEXT]) {
    Checksum sum = checksum_begin();
    for (size_t id = 0; id < tokenizer_n_vocab(t); id++) {
        size_t bytes;
        const char *token = tokenizer_token(t, (int)id, &bytes);
        uint32_t length = (uint32_t)bytes; /* "ab" "c" is not "a" "bc" */
        checksum_add(&sum, &length, sizeof length);
        checksum_add(&sum, token, bytes);
    }
    for (size_t i = 0; i < t->merges.n; i++) {
        const Merge *m = &t->merges.items[i];
        checksum_add(&sum, (int32_t[]){m->left, m->right, m->merged},
                     3 * sizeof(int32_t));
    }
    const WordRule *rule = pretokenizer_rule(t->pretokenizer);
    if (rule != &gpt2_words) checksum_add(&sum, rule->name, strlen(rule->name));
    checksum_end(&sum, text);
}
