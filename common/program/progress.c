/* A progress bar: see progress.h. */
#include "program/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

enum { BAR = 24 };

Progress progress_begin(const char *what, size_t total) {
    bool visible = isatty(STDERR_FILENO) == 1 ||
                   getenv("PROGRESS_BAR"); /* a terminal behind mpirun's pipe */
    return (Progress){
        .what = what, .total = total, .started = clock_seconds(), .visible = visible};
}

void progress_update(Progress *p, size_t done, const char *format, ...) {
    double now = clock_seconds();
    if (!p->visible || (now - p->drawn < 0.1 && done < p->total)) return;
    p->drawn = now;
    char bar[BAR + 1] = {0};
    size_t filled = p->total ? done * BAR / p->total : BAR;
    for (size_t i = 0; i < BAR; i++) bar[i] = i < filled ? '#' : '.';
    fprintf(stderr, "\r%s [%s] %zu/%zu  ", p->what, bar, done, p->total);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (done) {
        unsigned left =
            (unsigned)((now - p->started) * (double)(p->total - done) / (double)done);
        fprintf(stderr, "  %u:%02u left", left / 60, left % 60);
    }
    fputs("\033[K", stderr);
    error_open_line(stderr);
    fflush(stderr);
}

void progress_end(Progress *p) {
    if (!p->visible) return;
    fputs("\r\033[K", stderr);
    error_open_line(NULL);
}
