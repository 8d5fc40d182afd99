/* UTF-8: see unicode.h. */
#include "base/unicode.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* How many bytes a character has that begins with this one; 0: none begins so. */
static int length_by_first(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    if (first < 0xf5) return 4;
    return 0;
}

int utf8_length(const char *text, size_t n) {
    unsigned char first = (unsigned char)text[0];
    int length = length_by_first(first);
    /* The second byte says more than that it continues: no overlong forms,
     * surrogates, or values too large. */
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == n) return -1;
        unsigned char c = (unsigned char)text[i];
        if (c < low || c > high) return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

uint32_t utf8_code_point(const char *text, int length) {
    uint32_t code = length == 1 ? (unsigned char)text[0]
                                : (unsigned char)text[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3fu);
    return code;
}

int utf8_encode(char *out, uint32_t code) {
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[length] | code);
    return length;
}

int utf8_visible_length(const char *text, size_t n) {
    static const struct {
        uint32_t first, last;
    } unseen[] = {{0, 0x1f},        {0x7f, 0x9f},      {0x61c, 0x61c},
                  {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                  {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
    int length = utf8_length(text, n);
    if (length <= 0) return length;
    uint32_t code = utf8_code_point(text, length);
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (code >= unseen[i].first && code <= unseen[i].last) return 0;
    return length;
}

Printable printable(const char *text, size_t most) {
    Printable p;
    /* cut: where "..." still fits behind */
    size_t used = 0, cut = 0, left = strlen(text);
    while (left) {
        int length = utf8_visible_length(text, left);
        size_t taken = length > 0 ? (size_t)length : 1,
               bytes = length > 0 ? taken : strlen("\\x00");
        if (used + bytes > most) break;
        if (length > 0)
            memcpy(p.text + used, text, bytes);
        else
            sprintf(p.text + used, "\\x%02x", (unsigned char)*text);
        used += bytes;
        if (used + strlen("...") <= most) cut = used;
        text += taken;
        left -= taken;
    }
    strcpy(p.text + (left ? cut : used), left ? "..." : "");
    return p;
}
