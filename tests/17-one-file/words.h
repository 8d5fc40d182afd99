/* A small vocabulary for exercise 17/gpt2, its two files, and byte-pair encoding with
 * the mistakes that are often made as variations. */
#ifndef TESTS_17_WORDS_H
#define TESTS_17_WORDS_H

#include <ctype.h>

#include "tiny.h"

/* In the order of merges.txt, which is neither that of their texts nor of their ids. */
static const char *const word_merges[][2] = {
    {"h", "e"},        {" ", "t"},   {"i", "n"},       {" t", "he"}, {"r", "e"},
    {"b", "c"},        {"a", "b"},   {" ", "a"},       {"l", "l"},   {"'", "s"},
    {"e", "r"},        {"ab", "c"},  {"1", "9"},       {" ", " "},   {" a", "n"},
    {"in", "g"},       {"!", "!"},   {"on", "e"},      {"'", "ll"},  {"the", "r"},
    {"o", "n"},        {"s", " "},   {"2", "a"},       {" ", "19"},  {"t", "he"},
    {" ", "\n"},       {"\n", "\n"}, {"\xc3", "\xbc"}, {"e", "s"},   {" ", "!"},
    {"m", "\xc3\xbc"}, {"z", "z"},   {"zz", "zz"},     {"'", "r"},   {"x", "y"},
    {"y", "z"},        {"'", "S"},   {"\t", "t"}};

enum {
    WORD_MERGES = sizeof word_merges / sizeof *word_merges,
    WORD_TOKENS = 256 + WORD_MERGES,
    WORD_V = 307 /* a prime; the last ids have no token */
};

typedef enum {
    EXACT,
    RANK_BY_TEXT,
    FIRST_LINE_SKIPPED,
    LEFTMOST,
    LAST_MERGE_FIRST,
    SMALLEST_ID,
    ANY_TOKEN,
    LONGEST,
    NO_MERGES,
    NO_WORDS,
    SPACE_ALONE,
    SPACES_TOGETHER,
    TAB_BEFORE_WORD,
    NO_CONTRACTIONS,
    CONTRACTIONS_OF_CAPITALS,
    DIGITS_ARE_LETTERS,
    SIGNS_ALONE,
    HIGH_BYTES_ARE_SIGNS,
    IDS_OF_BYTES
} WordVariation;

/* Token number k: 256 bytes, then the merges. */
static size_t word_text(size_t k, char text[16]) {
    if (k < 256) {
        text[0] = (char)k;
        text[1] = 0;
        return 1;
    }
    return (size_t)sprintf(text, "%s%s", word_merges[k - 256][0],
                           word_merges[k - 256][1]);
}

static int word_id(size_t k) {
    return (int)((k * 37 + 11) % WORD_V);
}

/* The id of n bytes, or -1. */
static int word_find(const char *bytes, size_t n) {
    if (n == 1) return word_id((unsigned char)*bytes);
    for (size_t r = 0; r < WORD_MERGES; r++) {
        size_t left = strlen(word_merges[r][0]), right = strlen(word_merges[r][1]);
        if (left + right == n && memcmp(bytes, word_merges[r][0], left) == 0 &&
            memcmp(bytes + left, word_merges[r][1], right) == 0)
            return word_id(256 + r);
    }
    return -1;
}

/* A byte as GPT-2's character, as UTF-8 or as JSON writes it where `escaped`. */
static char *word_letter(char *to, unsigned byte, bool json, bool escaped) {
    unsigned code = byte;
    if (byte <= 32) code = 256 + byte;
    if (byte >= 127 && byte <= 160) code = 256 + 33 + byte - 127;
    if (byte == 173) code = 256 + 67;
    if (json && (code == '"' || code == '\\')) return to + sprintf(to, "\\%c", code);
    if (code < 128) return to + sprintf(to, "%c", code);
    if (json && escaped) return to + sprintf(to, "\\u%04x", code);
    return to + sprintf(to, "%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 63)));
}

static char *word_letters(char *to, const char *bytes, size_t n, bool json,
                          bool escaped) {
    for (size_t i = 0; i < n; i++)
        to = word_letter(to, (unsigned char)bytes[i], json, escaped);
    return to;
}

/* The order of two texts as the files have them. */
static int word_order(const char *a, const char *b) {
    char first[40] = "", second[40] = "";
    word_letters(first, a, strlen(a), false, false);
    word_letters(second, b, strlen(b), false, false);
    return strcmp(first, second);
}

/* How many merges make a token of a smaller id. */
static size_t word_rank_of_id(int id) {
    size_t before = 0;
    for (size_t r = 0; r < WORD_MERGES; r++) before += word_id(256 + r) < id;
    return before;
}

/* How late a pair is merged: the lowest is first; WORD_MERGES: never. */
static size_t word_rank(const char *a, size_t n, size_t n_right, WordVariation v) {
    if (v == NO_MERGES) return WORD_MERGES;
    int whole = v == ANY_TOKEN ? word_find(a, n + n_right) : -1;
    if (whole >= 0) return word_rank_of_id(whole);
    for (size_t r = 0; r < WORD_MERGES; r++) {
        const char *const *m = word_merges[r];
        if (strlen(m[0]) != n || strlen(m[1]) != n_right || memcmp(a, m[0], n) ||
            memcmp(a + n, m[1], n_right))
            continue;
        if (v == FIRST_LINE_SKIPPED && r == 0) return WORD_MERGES;
        if (v == LEFTMOST) return 0;
        if (v == SMALLEST_ID) return word_rank_of_id(word_find(a, n + n_right));
        if (v == LAST_MERGE_FIRST) return WORD_MERGES - 1 - r;
        if (v != RANK_BY_TEXT) return r;
        size_t before = 0;
        for (size_t i = 0; i < WORD_MERGES; i++) {
            int left = word_order(word_merges[i][0], m[0]);
            before += left ? left < 0 : word_order(word_merges[i][1], m[1]) < 0;
        }
        return before;
    }
    return WORD_MERGES;
}

static size_t word_longest(const char *text, size_t n) {
    for (size_t length = n; length > 1; length--)
        if (word_find(text, length) >= 0) return length;
    return 1;
}

/* A word of n bytes as ids; returns how many. */
static size_t word_encode(int *ids, const char *word, size_t n, WordVariation v) {
    size_t lengths[256], count = n;
    for (size_t i = 0; i < n; i++) lengths[i] = 1;
    while (v != LONGEST) {
        size_t best = WORD_MERGES, place = 0, at = 0;
        for (size_t i = 0; i + 1 < count; at += lengths[i++]) {
            size_t rank = word_rank(word + at, lengths[i], lengths[i + 1], v);
            if (rank >= best) continue;
            best = rank;
            place = i;
        }
        if (best == WORD_MERGES) break;
        lengths[place] += lengths[place + 1];
        memmove(lengths + place + 1, lengths + place + 2,
                (count - place - 2) * sizeof *lengths);
        count--;
    }
    size_t at = 0, n_ids = 0;
    while (at < n) {
        size_t length = v == LONGEST ? word_longest(word + at, n - at) : lengths[n_ids];
        ids[n_ids++] = v == IDS_OF_BYTES && length == 1 ? (unsigned char)word[at]
                                                        : word_find(word + at, length);
        at += length;
    }
    return n_ids;
}

static int word_kind(char c, WordVariation v) {
    unsigned char byte = (unsigned char)c;
    if (byte >= 128) return v == HIGH_BYTES_ARE_SIGNS ? 3 : 0;
    if (isalpha(byte)) return 0;
    if (isdigit(byte)) return v == DIGITS_ARE_LETTERS ? 0 : 1;
    return isspace(byte) ? 2 : 3;
}

static size_t word_end(const char *text, WordVariation v) {
    static const char *const endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; i < 7 && v != NO_CONTRACTIONS; i++) {
        size_t n = strlen(endings[i]);
        char lower[4] = {0};
        for (size_t j = 0; j < n && text[j]; j++)
            lower[j] = (char)tolower((unsigned char)text[j]);
        if (strncmp(v == CONTRACTIONS_OF_CAPITALS ? lower : text, endings[i], n) == 0)
            return n;
    }
    size_t n = 0;
    bool blank = *text == ' ' || (*text == '\t' && v == TAB_BEFORE_WORD);
    if (blank && text[1] && word_kind(text[1], v) != 2 && v != SPACE_ALONE) n = 1;
    int kind = word_kind(text[n], v);
    if (kind == 3 && v == SIGNS_ALONE) return n + 1;
    while (text[n] && word_kind(text[n], v) == kind) n++;
    bool shared = kind == 2 && n > 1 && text[n] && v != SPACES_TOGETHER;
    return shared && v != SPACE_ALONE ? n - 1 : n;
}

/* The ids of a text as the program writes them: "3,1,2\n". */
static const char *words_written(const char *text, WordVariation v) {
    char *written = checked_alloc(4000, 1), *at = written;
    int ids[600];
    size_t n = 0;
    for (size_t length; *text; text += length) {
        length = v == NO_WORDS ? strlen(text) : word_end(text, v);
        n += word_encode(ids + n, text, length, v);
    }
    for (size_t i = 0; i < n; i++) at += sprintf(at, i ? ",%d" : "%d", ids[i]);
    sprintf(at, "\n");
    return written;
}

/* --- the two files --- */

static void words_vocabulary_save(const char *directory, bool escaped) {
    char *text = checked_alloc(40000, 1), *at = text, token[16];
    at += sprintf(at, "{");
    for (size_t i = 0; i < WORD_TOKENS; i++) {
        size_t k = (i * 11 + 5) % WORD_TOKENS; /* in no order */
        size_t n = word_text(k, token);
        at += sprintf(at, i ? (escaped ? ", \"" : ",\"") : "\"");
        at = word_letters(at, token, n, true, escaped);
        at += sprintf(at, escaped ? "\": %d" : "\":%d", word_id(k));
    }
    if (escaped) at += sprintf(at, ", \"<|a mark|>\": %d", word_id(WORD_TOKENS));
    sprintf(at, "}");
    tiny_text(directory, "vocab.json", text);
}

static void words_merges_save(const char *directory, bool escaped) {
    char *text = checked_alloc(40000, 1), *at = text;
    if (escaped) at += sprintf(at, "#version: 0.2\n");
    for (size_t r = 0; r < WORD_MERGES; r++) {
        const char *const *m = word_merges[r];
        at = word_letters(at, m[0], strlen(m[0]), false, false);
        at += sprintf(at, " ");
        at = word_letters(at, m[1], strlen(m[1]), false, false);
        at += sprintf(at, "\n");
    }
    tiny_text(directory, "merges.txt", text);
}

static void words_save(const char *directory, bool escaped) {
    words_vocabulary_save(directory, escaped);
    words_merges_save(directory, escaped);
}

#endif
