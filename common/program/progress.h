/* A progress bar on stderr with the time left, drawn only when stderr is a terminal, or
 * where PROGRESS_BAR in the environment says that it leads to one. */
#ifndef PROGRAM_PROGRESS_H
#define PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *what;
    size_t total;
    double started, drawn;
    bool visible;
} Progress;

Progress progress_begin(const char *what, size_t total);

/* Draws "what [#####.....] 50/100  detail  0:12 left", at most ten times a second, in
 * one line of the terminal, however narrow; `format` is the detail. */
void progress_update(Progress *p, size_t done, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Erases the bar. */
void progress_end(Progress *p);

#endif
