/* UTF-8: see utf8.h. */
#include "09-tokenizer/utf8.h"

#include <string.h>

int utf8_length(const char *text, size_t n) {
    unsigned char first = (unsigned char)text[0];
    int length = first < 0x80   ? 1
                 : first < 0xc2 ? 0
                 : first < 0xe0 ? 2
                 : first < 0xf0 ? 3
                 : first < 0xf5 ? 4
                                : 0;
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

//> stream
size_t utf8_stream_add(Utf8Stream *s, char *out, const char *bytes, size_t n) {
    /* Everything goes to out first; an unfinished character at its end is then taken back. */
    memcpy(out, s->held, s->n_held);
    if (n) memcpy(out + s->n_held, bytes, n);
    size_t total = s->n_held + n, shown = 0;
    while (shown < total) {
        int length = utf8_length(out + shown, total - shown);
        if (length < 0) break;
        shown += length ? (size_t)length : 1;
    }
    s->n_held = total - shown;
    memcpy(s->held, out + shown, s->n_held);
    return shown;
}
//< stream

size_t utf8_stream_flush(Utf8Stream *s, char *out) {
    size_t n = s->n_held;
    memcpy(out, s->held, n);
    s->n_held = 0;
    return n;
}
