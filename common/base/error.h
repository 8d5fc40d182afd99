/* Errors: one clear line on stderr, then a non-zero exit.
 *
 * Every program of the course ends the same way: 0 success, 1 runtime or input error, 2
 * wrong usage, 3 a claim that an experiment made did not hold, 77 an exercise that is
 * not written yet. A message names the file, the value and what was expected. It is
 * always one line of its own, which only a terminal sees folded (words.h): bytes that
 * could drive a terminal, hide or mislead are escaped (unicode.h). */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdio.h>

enum { EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_CLAIM = 3, EXIT_TODO = 77 };

/* The name that starts every message, e.g. "13-kv-cache". program_run sets it. */
void error_set_program(const char *name);
const char *error_program(void);

/* The stream, stdout or stderr, that was left in the middle of a line, or NULL when
 * that line has ended. Where it shows in the same place as messages do, the next
 * message ends the line first. */
void error_open_line(FILE *stream);

/* Call this before printing other text than this file's messages on stderr: flushes
 * stdout and begins a new line. */
void error_begin_line(void);

/* Prints "name: message" on stderr and exits with EXIT_INPUT, EXIT_USAGE or
 * EXIT_CLAIM. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_claim(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program early: as exit(), after the function that error_before_exit was
 * given. */
_Noreturn void end_program(int code);

/* Sets the function that is called before die, end_program and their like end the
 * program, or NULL. */
void error_before_exit(void (*last_words)(void));

/* Sets the function that is called before a message that ends the program is printed,
 * or NULL. */
void error_before_message(void (*first)(void));

/* Ends a learner's program at an exercise that is still a stub: file, line, name and
 * the command for a hint. `exercise` is "NN/name", as in MINE=NN/name. */
#define EXERCISE_TODO(exercise) exercise_todo(exercise, __FILE__, __LINE__)
_Noreturn void exercise_todo(const char *exercise, const char *file, int line);

#endif
