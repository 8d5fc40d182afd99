/* Normalization form C: see nfc.h. */
#include "18-llama/nfc.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"

int number_length(const char *text, size_t n) {
    int length = utf8_length(text, n);
    if (length <= 0) return 0;
    utf8proc_category_t category =
        utf8proc_category((utf8proc_int32_t)utf8_code_point(text, length));
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO ? length
                                                                                : 0;
}

/* Everything below U+0300 stands for itself, and its first byte is below 0xcc. */
static size_t plain_bytes(const char *text, size_t n) {
    size_t at = 0;
    while (at < n && (unsigned char)text[at] < 0xcc) at++;
    return at;
}

static size_t valid_bytes(const char *text, size_t n) {
    size_t at = 0;
    for (int length; at < n && (length = utf8_length(text + at, n - at)) > 0;)
        at += (size_t)length;
    return at;
}

typedef struct {
    char *bytes;
    size_t n, capacity;
} Output;

/* And a byte more than that, for the end. */
static void put(Output *out, const void *bytes, size_t n) {
    if (n >= out->capacity - out->n) {
        out->capacity = size_mul(out->n + n + 1, 2);
        out->bytes = checked_realloc(out->bytes, out->capacity, 1);
    }
    if (n) memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

static void put_composed(Output *out, const char *text, size_t n) {
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &composed,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (length < 0) die("a text of %zu bytes: %s", n, utf8proc_errmsg(length));
    put(out, composed, (size_t)length);
    free(composed);
}

char *nfc(const char *text, size_t n, size_t *bytes) {
    if (plain_bytes(text, n) == n) return NULL;
    Output out = {0};
    for (size_t at = 0; at < n;) {
        size_t valid = valid_bytes(text + at, n - at);
        if (valid) put_composed(&out, text + at, valid);
        at += valid;
        if (at < n) put(&out, text + at++, 1);
    }
    out.bytes[out.n] = 0;
    *bytes = out.n;
    return out.bytes;
}
