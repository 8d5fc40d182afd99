/* A progress bar: see progress.h. */
#include "program/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/words.h"

enum { WIDE_BAR = 24, NARROW_BAR = 8, USUAL_COLUMNS = 80, LONGEST = 256 };

/* The last column stays free: some terminals begin a new line behind it. */
static size_t columns_to_fill(void) {
    size_t columns = screen_columns(stderr);
    return (columns > 1 ? columns : USUAL_COLUMNS) - 1;
}

Progress progress_begin(const char *what, size_t total) {
    const char *terminal = getenv("TERM");
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    /* PROGRESS_BAR: a terminal behind mpirun's pipe */
    bool visible = (isatty(STDERR_FILENO) == 1 && !dumb) || getenv("PROGRESS_BAR");
    return (Progress){
        .what = what, .total = total, .started = clock_seconds(), .visible = visible};
}

/* Shortens text to at most so many bytes, at a gap of two blanks or behind a comma. */
static void cut(char *text, size_t most) {
    while (strlen(text) > most) {
        size_t end = 0;
        for (size_t i = 1; i <= most && text[i]; i++) {
            bool gap = text[i] == ' ' && (text[i + 1] == ' ' || text[i - 1] == ',');
            if (gap) end = text[i - 1] == ',' ? i - 1 : i;
        }
        text[end] = '\0';
    }
}

/* Prints as much as fits a line: first the bar gets narrow, then the detail loses its
 * end, then the bar goes. */
static void print_line(const Progress *p, size_t done, char *detail, const char *left) {
    size_t columns = columns_to_fill();
    char count[64];
    int n = snprintf(count, sizeof count, "%zu/%zu", done, p->total);
    size_t fixed = strlen(p->what) + strlen(" [] ") + (size_t)n + strlen(left);
    size_t bar =
        fixed + WIDE_BAR + 2 + strlen(detail) <= columns ? WIDE_BAR : NARROW_BAR;
    size_t taken = fixed + bar + 2;
    cut(detail, taken < columns ? columns - taken : 0);
    fprintf(stderr, "\r%.*s ", (int)columns - 1, p->what);
    if (fixed + bar <= columns) {
        size_t filled = p->total ? done * bar / p->total : bar;
        fputc('[', stderr);
        for (size_t i = 0; i < bar; i++) fputc(i < filled ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    if (fixed <= columns) fputs(count, stderr);
    if (*detail) fprintf(stderr, "  %s", detail);
    if (fixed <= columns) fputs(left, stderr);
}

void progress_update(Progress *p, size_t done, const char *format, ...) {
    double now = clock_seconds();
    if (!p->visible || (now - p->drawn < 0.1 && done < p->total)) return;
    p->drawn = now;
    char detail[LONGEST], left[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (done) {
        double rest = (now - p->started) * (double)(p->total - done) / (double)done;
        /* clocks jump */
        unsigned seconds = rest > 0 && rest < 1e6 ? (unsigned)rest : 0;
        snprintf(left, sizeof left, "  %u:%02u left", seconds / 60, seconds % 60);
    }
    print_line(p, done, detail, left);
    fputs("\033[K", stderr);
    error_open_line(stderr);
    fflush(stderr);
}

void progress_end(Progress *p) {
    if (!p->visible) return;
    fputs("\r\033[K", stderr);
    error_open_line(NULL);
}
