/* Errors: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unicode.h"
#include "base/words.h"

static const char *program_name = "program";
static void (*last_words)(void), (*before_message)(void);
static FILE *open_line;

void error_set_program(const char *name) {
    program_name = name;
}

const char *error_program(void) {
    return program_name;
}

void error_before_exit(void (*words)(void)) {
    last_words = words;
}

void error_before_message(void (*first)(void)) {
    before_message = first;
}

void end_program(int code) {
    void (*words)(void) = last_words;
    last_words = NULL; /* they may die themselves */
    if (words) words();
    exit(code);
}

void error_open_line(FILE *stream) {
    open_line = stream;
}

static bool shows_with_stderr(FILE *stream) {
    struct stat a, b;
    return fstat(fileno(stream), &a) == 0 && fstat(STDERR_FILENO, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void error_begin_line(void) {
    fflush(stdout);
    if (open_line && shows_with_stderr(open_line)) fputc('\n', stderr);
    open_line = NULL;
}

static void begin_message(void) {
    if (before_message) before_message();
    error_begin_line();
}

/* Text from a file may stand in a message. */
static void print_line(const char *format, va_list arguments, const char *end) {
    char text[2 * PRINTABLE_MOST]; /* more than is shown, so that the line says where it
                                      is cut */
    vsnprintf(text, sizeof text, format, arguments);
    begin_message();
    int at = fprintf(stderr, "%s:", program_name);
    at = print_message(stderr, at, 2, printable(text, PRINTABLE_MOST).text);
    if (*end) print_message(stderr, at, 2, end);
    fputc('\n', stderr);
}

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "");
    va_end(arguments);
    end_program(EXIT_INPUT);
}

void die_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "(--help lists the options)");
    va_end(arguments);
    end_program(EXIT_USAGE);
}

void die_claim(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "");
    va_end(arguments);
    end_program(EXIT_CLAIM);
}

void exercise_todo(const char *exercise, const char *file, int line) {
    const char *name = strchr(exercise, '/');
    char words[PRINTABLE_MOST];
    begin_message();
    int at = fprintf(stderr, "%s:%d:", file, line);
    snprintf(words, sizeof words, "exercise %s is not written yet;", exercise);
    print_message(stderr, at, 2, words);
    /* a command that is to be typed stands on one line */
    const char *before = screen_columns(stderr) ? "\n  " : " ";
    fprintf(stderr, "%sfor a hint: make hint-%.2s EX=%s\n", before, exercise,
            name ? name + 1 : exercise);
    end_program(EXIT_TODO);
}
