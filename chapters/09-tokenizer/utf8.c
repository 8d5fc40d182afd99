/* UTF-8: see utf8.h. */
#include "09-tokenizer/utf8.h"

#include <string.h>

//> stream
size_t utf8_stream_add(Utf8Stream *s, char *out, const char *bytes, size_t n) {
    /* Everything goes to out first; an unfinished character at its end is then taken
     * back. */
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
