/* See text.h. */
#include "verdict/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct Piece {
    Piece *next;
    char bytes[];
};

void *pool_alloc(Pool *pool, size_t bytes) {
    Piece *piece = checked_alloc(1, sizeof *piece + bytes + 1);
    piece->next = pool->pieces;
    pool->pieces = piece;
    return piece->bytes;
}

char *pool_cut(Pool *pool, const char *begin, const char *end) {
    char *cut = pool_alloc(pool, (size_t)(end - begin) + 1);
    memcpy(cut, begin, (size_t)(end - begin));
    return cut;
}

static char *formatted(const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    size_t n = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *text = checked_alloc(n, 1);
    vsnprintf(text, n, format, values);
    return text;
}

char *pool_format(Pool *pool, const char *format, ...) {
    va_list values;
    va_start(values, format);
    char *text = formatted(format, values);
    va_end(values);
    char *kept = pool_cut(pool, text, text + strlen(text));
    free(text);
    return kept;
}

void pool_free(Pool *pool) {
    while (pool->pieces) {
        Piece *piece = pool->pieces;
        pool->pieces = piece->next;
        free(piece);
    }
}

/* Room doubles at each power of two. */
void *pool_grown(Pool *pool, void *items, size_t n, size_t item_bytes) {
    if (n & (n - 1)) return items;
    void *more = pool_alloc(pool, (n ? 2 * n : 1) * item_bytes);
    if (n) memcpy(more, items, n * item_bytes);
    return more;
}

void text_add(Text *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    char *more = formatted(format, values);
    va_end(values);
    size_t n = strlen(more);
    if (text->n + n + 1 > text->capacity) {
        text->capacity = 2 * (text->n + n + 1);
        text->bytes = checked_realloc(text->bytes, text->capacity, 1);
    }
    memcpy(text->bytes + text->n, more, n + 1);
    text->n += n;
    free(more);
}

char *text_take(Text *text) {
    char *bytes = text->bytes ? text->bytes : checked_strdup("");
    *text = (Text){0};
    return bytes;
}

char *next_line(Pool *pool, const char **at) {
    if (!*at || !**at) return NULL;
    const char *begin = *at, *end = begin + strcspn(begin, "\n");
    *at = *end ? end + 1 : end;
    return pool_cut(pool, begin, end);
}

char *next_word(Pool *pool, const char **at) {
    if (!*at) return NULL;
    const char *begin = *at + strspn(*at, " \t\n"),
               *end = begin + strcspn(begin, " \t\n");
    *at = end;
    return begin == end ? NULL : pool_cut(pool, begin, end);
}

size_t split(Pool *pool, const char *text, const char *between, const char *parts[],
             size_t most) {
    size_t n = 0;
    for (const char *end; text && n < most; text = end ? end + strlen(between) : NULL) {
        end = strstr(text, between);
        parts[n++] = pool_cut(pool, text, end ? end : text + strlen(text));
    }
    return n;
}

bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) &&
           strcmp(text + strlen(text) - strlen(end), end) == 0;
}

const char *last_of(const char *text, const char *part) {
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, part)); at++) found = at;
    return found;
}

bool same_text(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

char *test_name(Pool *pool, const char *text) {
    const char *colons = strstr(text, "::");
    if (colons) text = colons + 2;
    return pool_cut(pool, text, text + strcspn(text, ": \t"));
}

const char *below(const char *root, const char *path) {
    size_t n = root ? strlen(root) : 0;
    return n && strncmp(path, root, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* How many bytes at p are something that no terminal should see: control characters,
 * U+0080 to U+009F, U+061C, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F,
 * U+FEFF, U+E0000 to U+E007F. */
static size_t unreadable(const unsigned char *p) {
    if ((p[0] < 32 && p[0] != '\t' && p[0] != '\n') || p[0] == 127) return 1;
    if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) return 2;
    if (p[0] == 0xd8 && p[1] == 0x9c) return 2;
    if (p[0] == 0xe2 && p[1] == 0x80 &&
        ((p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae)))
        return 3;
    if (p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa0 && p[2] <= 0xaf) return 3;
    if (p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) return 3;
    if (p[0] == 0xf3 && p[1] == 0xa0 && (p[2] == 0x80 || p[2] == 0x81) &&
        p[3] >= 0x80 && p[3] <= 0xbf)
        return 4;
    return 0;
}

void make_readable(char *text) {
    unsigned char *to = (unsigned char *)text;
    for (const unsigned char *from = to; *from;) {
        size_t n = unreadable(from);
        *to++ = n ? '?' : *from;
        from += n ? n : 1;
    }
    *to = '\0';
}

/* How many columns n bytes of UTF-8 take, each character one. */
static size_t columns_of(const char *text, size_t n) {
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

size_t add_wrapped(Text *to, const char *text, size_t indent, size_t columns,
                   size_t most_lines) {
    size_t lines = 0;
    while (*text) {
        size_t end = strcspn(text, " ");
        if (lines + 1 == most_lines &&
            indent + columns_of(text, strlen(text)) > columns)
            columns -= strlen(" ...");
        for (size_t next = end; text[next];) {
            next += 1 + strcspn(text + next + 1, " ");
            if (indent + columns_of(text, next) > columns) break;
            end = next;
        }
        bool cut = ++lines == most_lines && text[end];
        text_add(to, "%*s%.*s%s\n", (int)indent, "", (int)end, text, cut ? " ..." : "");
        if (cut) break;
        text += end;
        text += *text == ' ';
    }
    return lines;
}
