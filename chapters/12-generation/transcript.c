/* The text as it is written: see transcript.h. */
#include "12-generation/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

Transcript transcript_create(const Tokenizer *tokenizer, bool print_ids) {
    return (Transcript){.tokenizer = tokenizer, .print_ids = print_ids || !tokenizer};
}

void transcript_free(Transcript *t) {
    free(t->text);
    *t = (Transcript){0};
}

static void add_text(Transcript *t, const char *text, size_t bytes) {
    if (!t->print_ids && bytes) {
        fwrite(text, 1, bytes, stdout);
        error_open_line(text[bytes - 1] == '\n' ? NULL : stdout);
    }
    t->text = checked_realloc(t->text, t->bytes + bytes + 1, 1);
    memcpy(t->text + t->bytes, text, bytes);
    t->bytes += bytes;
}

void transcript_token(Transcript *t, int token) {
    if (t->print_ids) {
        printf(t->begun ? " %d" : "%d", token);
        error_open_line(stdout);
    }
    t->begun = true;
    if (!t->tokenizer) return;
    size_t bytes;
    const char *text = tokenizer_token(t->tokenizer, token, &bytes);
    char *whole = checked_alloc(bytes + UTF8_MAX_BYTES, 1);
    add_text(t, whole, utf8_stream_add(&t->stream, whole, text, bytes));
    free(whole);
}

void transcript_end(Transcript *t) {
    char rest[UTF8_MAX_BYTES];
    add_text(t, rest, utf8_stream_flush(&t->stream, rest));
    add_text(t, "\n", 1);
    if (t->print_ids) putchar('\n');
    fflush(stdout);
    error_open_line(NULL);
    t->begun = false;
}
