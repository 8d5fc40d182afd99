/* vocab.json and merges.txt, read and written: see tokenizer.h and vocabulary.h. */
#include "09-tokenizer/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "09-tokenizer/utf8.h"
#include "error.h"
#include "file.h"
#include "json.h"
#include "memory.h"

enum { N_BYTES = 256, FIRST_SUBSTITUTE = 256 };

//> letters
static bool is_printable(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
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
//< letters

/* The byte that each letter stands for, or -1. */
enum { N_LETTERS = 2 * N_BYTES };
static void fill_letter_bytes(int byte_of[N_LETTERS]) {
    for (int i = 0; i < N_LETTERS; i++) byte_of[i] = -1;
    for (int b = 0; b < N_BYTES; b++) byte_of[byte_letter(b)] = b;
}

/* Spells n bytes of letters out as bytes (never more of them) and returns how many; SIZE_MAX for a character
 * that stands for no byte. All letters are below U+0200: one or two bytes of UTF-8. */
static size_t letters_to_bytes(char *out, const char *letters, size_t n, const int byte_of[N_LETTERS]) {
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        int length = utf8_length(letters + i, n - i);
        if (length != 1 && length != 2) return SIZE_MAX;
        int letter = length == 1 ? letters[i] : (letters[i] & 0x1f) << 6 | (letters[i + 1] & 0x3f);
        if (letter >= N_LETTERS || byte_of[letter] < 0) return SIZE_MAX;
        out[used++] = (char)byte_of[letter];
        i += (size_t)length;
    }
    return used;
}

/* The entries of vocab.json in the order of their ids, which must be 0 .. n-1. */
static const cJSON **entries_by_id(const char *path, const cJSON *json, size_t *n) {
    *n = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, json)++ *n;
    const cJSON **by_id = checked_alloc(*n, sizeof(cJSON *));
    cJSON_ArrayForEach(entry, json) {
        double id = cJSON_IsNumber(entry) ? entry->valuedouble : -1;
        if (!(id >= 0 && id < (double)*n) || id != (double)(size_t)id) {
            die("file '%s': token '%s' has no id from 0 to %zu", path, entry->string, *n - 1);
        }
        if (by_id[(size_t)id]) die("file '%s': id %.0f stands there twice", path, id);
        by_id[(size_t)id] = entry;
    }
    return by_id;
}

static void load_tokens(Tokenizer *t, const char *path, const int byte_of[N_LETTERS]) {
    size_t n, longest = 0;
    cJSON *json = json_read_object(path);
    const cJSON **by_id = entries_by_id(path, json, &n);
    for (size_t id = 0; id < n; id++) {
        size_t length = strlen(by_id[id]->string);
        if (length > longest) longest = length;
    }
    char *bytes = checked_alloc(longest, 1);
    for (size_t id = 0; id < n; id++) {
        size_t length = letters_to_bytes(bytes, by_id[id]->string, strlen(by_id[id]->string), byte_of);
        if (length == SIZE_MAX)
            die("file '%s': token '%s' is not written in GPT-2's letters", path, by_id[id]->string);
        if (string_table_add(&t->tokens, bytes, length) != id) {
            die("file '%s': token '%s' stands there twice", path, by_id[id]->string);
        }
    }
    for (int b = 0; b < N_BYTES; b++) {
        size_t id = string_table_find(&t->tokens, &(char){(char)b}, 1);
        if (id == STRING_NOT_FOUND)
            die("file '%s': there is no token for the byte 0x%02x", path, (unsigned)b);
        t->byte_token[b] = (int)id;
    }
    size_t eot = string_table_find(&t->tokens, END_OF_TEXT, strlen(END_OF_TEXT));
    if (eot == STRING_NOT_FOUND) die("file '%s': there is no token '%s'", path, END_OF_TEXT);
    t->eot = (int)eot;
    free(bytes);
    free(by_id);
    cJSON_Delete(json);
}

/* One line "left right" of merges.txt. `made` says which tokens a merge may use: bytes, and what earlier
 * lines made. */
static void load_merge(Tokenizer *t, const char *path, size_t number, const char *line, size_t n,
                       const int byte_of[N_LETTERS], bool *made, char *bytes) {
    const char *blank = memchr(line, ' ', n);
    size_t n_left = blank ? (size_t)(blank - line) : 0;
    size_t left = blank ? letters_to_bytes(bytes, line, n_left, byte_of) : SIZE_MAX;
    size_t right =
        left == SIZE_MAX ? SIZE_MAX : letters_to_bytes(bytes + left, blank + 1, n - n_left - 1, byte_of);
    if (right == SIZE_MAX || left == 0 || right == 0) {
        die("file '%s': line %zu: expected two tokens in GPT-2's letters and a blank between them", path,
            number);
    }
    size_t ids[3] = {string_table_find(&t->tokens, bytes, left),
                     string_table_find(&t->tokens, bytes + left, right),
                     string_table_find(&t->tokens, bytes, left + right)};
    for (int i = 0; i < 3; i++) {
        if (ids[i] == STRING_NOT_FOUND)
            die("file '%s': line %zu: '%.*s' is not in vocab.json", path, number, (int)n, line);
        if (i < 2 && !made[ids[i]]) {
            die("file '%s': line %zu: '%.*s' uses a token that no earlier line makes", path, number, (int)n,
                line);
        }
    }
    if (merge_table_find(&t->merges, (int)ids[0], (int)ids[1]))
        die("file '%s': line %zu: '%.*s' stands there twice", path, number, (int)n, line);
    made[ids[2]] = true;
    merge_table_add(&t->merges, (int)ids[0], (int)ids[1], (int)ids[2]);
}

static void load_merges(Tokenizer *t, const char *path, const int byte_of[N_LETTERS]) {
    enum { MOST_BYTES = 1 << 28 };
    static const char version[] = "#version";
    size_t size, number = 0;
    char *text = file_read_regular(path, MOST_BYTES, &size), *bytes = checked_alloc(size, 1);
    bool *made = checked_alloc(t->tokens.n, sizeof *made);
    for (int b = 0; b < N_BYTES; b++) made[t->byte_token[b]] = true;
    for (const char *line = text; line < text + size;) {
        const char *end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end) end = text + size;
        size_t n = (size_t)(end - line);
        number++;
        bool is_version = number == 1 && n >= strlen(version) && memcmp(line, version, strlen(version)) == 0;
        if (n && !is_version) load_merge(t, path, number, line, n, byte_of, made, bytes);
        line = end + 1;
    }
    free(made);
    free(bytes);
    free(text);
}

Tokenizer *tokenizer_load(const char *directory) {
    int byte_of[N_LETTERS];
    fill_letter_bytes(byte_of);
    Tokenizer *t = checked_alloc(1, sizeof *t);
    directory_finish(directory);
    char *vocab = path_join(directory, "vocab.json"), *merges = path_join(directory, "merges.txt");
    load_tokens(t, vocab, byte_of);
    load_merges(t, merges, byte_of);
    t->pretokenizer = pretokenizer_create();
    free(vocab);
    free(merges);
    return t;
}

/* A token in letters; with `json`, quotes and backslashes are escaped. END_OF_TEXT has only letters that
 * stand for themselves. */
static void write_letters(FileWriter *w, const Tokenizer *t, int id, bool json) {
    size_t n;
    const char *bytes = tokenizer_token(t, id, &n);
    for (size_t i = 0; i < n; i++) {
        int letter = byte_letter((unsigned char)bytes[i]);
        if (json && (letter == '"' || letter == '\\')) file_write(w, "\\", 1);
        char utf8[2] = {(char)(letter < 0x80 ? letter : 0xc0 | letter >> 6), (char)(0x80 | (letter & 0x3f))};
        file_write(w, utf8, letter < 0x80 ? 1 : 2);
    }
}

void tokenizer_save(const Tokenizer *t, Directory *directory) {
    FileWriter *vocab = directory_add(directory, "vocab.json"),
               *merges = directory_add(directory, "merges.txt");
    for (size_t id = 0; id < tokenizer_n_vocab(t); id++) {
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
        checksum_add(&sum, (int32_t[]){m->left, m->right, m->merged}, 3 * sizeof(int32_t));
    }
    checksum_end(&sum, text);
}
