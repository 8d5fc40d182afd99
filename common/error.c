/* Errors: see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MESSAGE_BYTES = 1000 };

static const char *program_name = "program";
static bool claims_are_strict = true;

void error_set_program(const char *name) {
    program_name = name;
}

/* Text from a file may stand in a message: what could break the line or drive the terminal is escaped, and
 * the length is bounded. */
static void print_line(const char *format, va_list arguments) {
    char text[MESSAGE_BYTES], line[MESSAGE_BYTES];
    size_t wanted = (size_t)vsnprintf(text, sizeof text, format, arguments), used = 0, read = 0;
    for (; text[read] && used + sizeof "\\x00" < sizeof line; read++) {
        unsigned char c = (unsigned char)text[read];
        used += (size_t)sprintf(line + used, c < 0x20 || c == 0x7f ? "\\x%02x" : "%c", c);
    }
    fflush(stdout);
    fprintf(stderr, "%s: %.*s%s", program_name, (int)used, line, read < wanted ? " ..." : "");
}

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_INPUT);
}

void die_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fputs(" (--help lists the options)\n", stderr);
    exit(EXIT_USAGE);
}

void die_claim(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_CLAIM);
}

void claim(bool holds, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!holds && claims_are_strict) die_claim("claim does not hold: %s", text);
    printf("%s: %s\n", holds ? "holds" : "does not hold (not asserted in a quick run)", text);
}

void claim_set_strict(bool strict) {
    claims_are_strict = strict;
}

size_t size_mul(size_t a, size_t b) {
    if (b != 0 && a > SIZE_MAX / b) die("a size of %zu x %zu does not fit in memory", a, b);
    return a * b;
}

void *checked_alloc(size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
    return memory;
}

void *checked_aligned_alloc(size_t count, size_t size) {
    const size_t line = 64, large_page = 2 << 20;
    size_t bytes = size_mul(count, size), alignment = bytes < large_page ? line : large_page;
    if (bytes > SIZE_MAX - alignment) die("a size of %zu x %zu does not fit in memory", count, size);
    size_t rounded = (bytes / alignment + (bytes % alignment > 0 || bytes == 0)) * alignment;
    void *memory = aligned_alloc(alignment, rounded);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
#ifdef MADV_HUGEPAGE
    if (alignment == large_page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return memory;
}

void *checked_realloc(void *old, size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
    return memory;
}

char *checked_strdup(const char *s) {
    size_t bytes = strlen(s) + 1;
    return memcpy(checked_alloc(bytes, 1), s, bytes);
}

void exercise_todo(const char *exercise, const char *file, int line) {
    const char *name = strchr(exercise, '/');
    fflush(stdout);
    fprintf(stderr, "%s:%d: exercise %s is not written yet; for a hint: make hint-%.2s EX=%s\n", file, line,
            exercise, exercise, name ? name + 1 : exercise);
    exit(EXIT_TODO);
}
