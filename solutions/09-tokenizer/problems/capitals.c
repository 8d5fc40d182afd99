/* A key for capitals, as on a keyboard. Before you read on: make hint-09 P=capitals */
#include "09-tokenizer/problems/capitals.h"

#include <stdbool.h>

/* LOCK turns the case of all letters behind it until the next LOCK. PLAIN says that the
 * byte behind it means itself. */
enum { LOCK = 1, PLAIN = 2 };

static bool is_large(char c) {
    return c >= 'A' && c <= 'Z';
}
static bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}
static char turned(char c) {
    return is_large(c) || is_small(c) ? (char)(c ^ 0x20) : c;
}

/* The key is pressed where two letters in a row have the other case; a single one (a
 * name's first) stays as it is. */
size_t fold_capitals(char *out, const char *bytes, size_t n) {
    size_t used = 0;
    bool locked = false;
    for (size_t i = 0; i < n; i++) {
        char next = i + 1 < n ? bytes[i + 1] : 0;
        bool other = locked ? is_small(bytes[i]) && is_small(next)
                            : is_large(bytes[i]) && is_large(next);
        if (other) {
            locked = !locked;
            out[used++] = LOCK;
        }
        if (bytes[i] == LOCK || bytes[i] == PLAIN) out[used++] = PLAIN;
        out[used++] = locked ? turned(bytes[i]) : bytes[i];
    }
    return used;
}

size_t unfold_capitals(char *out, const char *folded, size_t n_folded) {
    size_t used = 0;
    bool locked = false;
    for (size_t i = 0; i < n_folded; i++) {
        if (folded[i] == LOCK) {
            locked = !locked;
            continue;
        }
        if (folded[i] == PLAIN && i + 1 < n_folded) i++;
        out[used++] = locked ? turned(folded[i]) : folded[i];
    }
    return used;
}
