/* UTF-8: which bytes form characters, and text that comes from outside made fit for a
 * message. */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX_BYTES = 4 };

/* The length (1 to 4) of the character that starts at text; 0 if no character of
 * Unicode starts there (RFC 3629: no overlong forms, no surrogates, nothing above
 * U+10FFFF); -1 if the n bytes are the beginning of one and the rest is missing. n >
 * 0. */
int utf8_length(const char *text, size_t n);

/* The number of the character of that length at text, and back: the character's bytes,
 * at most UTF8_MAX_BYTES, and how many they are. */
uint32_t utf8_code_point(const char *text, int length);
int utf8_encode(char *out, uint32_t code);

/* The same as utf8_length, but 0 also where the character would drive a terminal
 * (control characters), hide (no width, the byte order mark), or turn other text round:
 * U+061C, U+200B to 200F, U+2028 to 202E, U+2060 to 206F, U+FEFF, U+E0000 to E007F. */
int utf8_visible_length(const char *text, size_t n);

/* One line of text; a character without a visible length is written as \x and two
 * digits for each byte. */
enum { PRINTABLE_MOST = 999 };
typedef struct {
    char text[PRINTABLE_MOST + 1];
} Printable;

/* As much of text as fits into `most` bytes (3 to PRINTABLE_MOST), and "..." where that
 * is not all. */
Printable printable(const char *text, size_t most);

#endif
