/* The sister language: see sister.h. */
#include "19-fine-tuning/sister.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

enum { NAMES = 12, MOST_LONGER = 2 };

/* Twins, as corpus.c has them: she and she, he and he. */
static const char *const names[NAMES][2] = {
    {"Anna", "Ada"}, {"Tom", "Leo"},  {"Mia", "Ivy"},  {"Ben", "Ian"},
    {"Lily", "Zoe"}, {"Sam", "Gus"},  {"Rosa", "Fay"}, {"Max", "Jim"},
    {"Eva", "Una"},  {"Jack", "Roy"}, {"Nora", "Amy"}, {"Paul", "Hal"}};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

const char *sister_name(const char *text, size_t bytes, size_t *length) {
    for (*length = 0; *length < bytes && is_letter(text[*length]);) ++*length;
    for (size_t i = 0; i < 2 * NAMES; i++) {
        const char *name = names[i / 2][i % 2];
        if (strlen(name) == *length && memcmp(name, text, *length) == 0)
            return names[i / 2][1 - i % 2];
    }
    return NULL;
}

char *sister_text(const char *text, size_t bytes, size_t *n) {
    char *out = checked_alloc(size_mul(bytes, MOST_LONGER) + 1, 1);
    *n = 0;
    for (size_t at = 0; at < bytes;) {
        size_t word;
        const char *name = sister_name(text + at, bytes - at, &word);
        size_t read = word ? word : 1, written = name ? strlen(name) : read;
        memcpy(out + *n, name ? name : text + at, written);
        *n += written;
        at += read;
    }
    out[*n] = '\0';
    return out;
}
