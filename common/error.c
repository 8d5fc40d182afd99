/* Errors: see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 1000 };

static const char *program_name = "program";
static void (*last_words)(void);

void error_set_program(const char *name) {
    program_name = name;
}

const char *error_program(void) {
    return program_name;
}

void error_before_exit(void (*words)(void)) {
    last_words = words;
}

void end_program(int code) {
    void (*words)(void) = last_words;
    last_words = NULL; /* they may die themselves */
    if (words) words();
    exit(code);
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
    end_program(EXIT_INPUT);
}

void die_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fputs(" (--help lists the options)\n", stderr);
    end_program(EXIT_USAGE);
}

void die_claim(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    end_program(EXIT_CLAIM);
}

void exercise_todo(const char *exercise, const char *file, int line) {
    const char *name = strchr(exercise, '/');
    fflush(stdout);
    fprintf(stderr, "%s:%d: exercise %s is not written yet; for a hint: make hint-%.2s EX=%s\n", file, line,
            exercise, exercise, name ? name + 1 : exercise);
    end_program(EXIT_TODO);
}
