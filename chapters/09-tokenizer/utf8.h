/* UTF-8: a stream that never shows half a character. */
#ifndef CHAPTER_09_UTF8_H
#define CHAPTER_09_UTF8_H

#include <stddef.h>

#include "base/unicode.h"

/* Tokens may end in the middle of a character. The stream holds such a beginning back
 * until the rest has come. Bytes that belong to no character pass as they are, so that
 * the output is the input. {0} is the start. */
typedef struct {
    char held[UTF8_MAX_BYTES];
    size_t n_held;
} Utf8Stream;

/* Writes the bytes that can be shown to out, which has room for n + 3 bytes, and
 * returns how many they are. */
size_t utf8_stream_add(Utf8Stream *s, char *out, const char *bytes, size_t n);

/* Writes the bytes still held back, at most 3, at the end of the text. */
size_t utf8_stream_flush(Utf8Stream *s, char *out);

#endif
