/* The table and the file of --trace: see trace_print.h. */
#include "tensor/trace_print.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "files/file.h"
#include "base/unicode.h"

/* --- the table --- */

/* A row has 80 columns. Only without a backward pass is there room for "cached
 * attention". */
enum { LAYER = 16, SHAPE = 10 };
static int operation_columns(bool backward) {
    return backward ? 13 : 16;
}

/* "[1, 32, 64]" as "1x32x64" */
static void shorten_shape(char *to, const char *shape) {
    for (; *shape; shape++)
        if (!strchr("[ ]", *shape)) *to++ = *shape == ',' ? 'x' : *shape;
    *to = 0;
}

static void print_row(const TraceRow *row, bool backward) {
    char shape[TENSOR_SHAPE_TEXT];
    shorten_shape(shape, row->shape);
    fprintf(stderr, "%3zu %-*s %-*s %-*s %7.3f", row->number,
            operation_columns(backward), row->operation, LAYER, row->layer, SHAPE,
            shape, 1e3 * row->forward);
    if (backward) fprintf(stderr, " %8.3f", 1e3 * row->backward);
    fprintf(stderr, " %8.3g", row->out_norm);
    if (backward) fprintf(stderr, " %8.3g", row->grad_norm);
    fputc('\n', stderr);
}

static void print_total(const TraceTotal *total, bool backward) {
    fprintf(stderr, "    %-*s %*s %7.3f", operation_columns(backward), total->name,
            LAYER + 1 + SHAPE, "", 1e3 * total->forward);
    if (backward) fprintf(stderr, " %8.3f", 1e3 * total->backward);
    fprintf(stderr, " %8zu\n", total->calls);
}

static void print_header(const char *layer, const char *shape, bool backward,
                         const char *last) {
    fprintf(stderr, "    %-*s %-*s %-*s forward%s %s\n", operation_columns(backward),
            "operation", LAYER, layer, SHAPE, shape, backward ? " backward" : "", last);
}

void trace_print_table(const TracePass *pass, size_t n_passes, const TraceTotal *totals,
                       size_t n_totals) {
    error_begin_line();
    if (!pass || !pass->n) {
        fprintf(stderr, "trace: nothing went over a tape\n");
        return;
    }
    fprintf(stderr,
            "trace: pass %zu of %zu, the last of those with the most operations; "
            "in ms\n",
            pass->number, n_passes);
    print_header("layer", "output", pass->backward,
                 pass->backward ? "    norm gradient" : "    norm");
    for (size_t i = 0; i < pass->n; i++) print_row(&pass->rows[i], pass->backward);
    fprintf(stderr, "trace: all passes; in ms\n");
    print_header("", "", pass->backward, "   calls");
    for (size_t i = 0; i < n_totals; i++) print_total(&totals[i], pass->backward);
}

/* --- the file: "Trace Event Format" --- */

/* https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */

enum { MOST_EVENTS = 1000000 }; /* 150 MB of text: more than the viewers like */

static FileWriter file;
static bool is_open;
static size_t n_events;

void trace_file_begin(const char *path) {
    file = file_begin(path);
    is_open = true;
    file_printf(&file, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
}

/* Names are ours, layers are names of parameters: nothing in them needs escaping. */
void trace_file_add(const char *name, const char *category, const TraceRow *row,
                    double started, double seconds) {
    if (!is_open || n_events == MOST_EVENTS) return;
    file_printf(&file,
                "%s\n{\"name\": \"%s\", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": 1, "
                "\"tid\": 1, \"ts\": "
                "%.3f, \"dur\": %.3f",
                n_events++ ? "," : "", name, category, 1e6 * started, 1e6 * seconds);
    if (row)
        file_printf(&file,
                    ", \"args\": {\"layer\": \"%s\", \"shape\": \"%s\", \"node\": %zu}",
                    row->layer, row->shape, row->number);
    file_printf(&file, "}");
}

void trace_file_end(void) {
    if (!is_open) return;
    is_open = false;
    file_printf(&file, "\n]}\n");
    fprintf(
        stderr,
        "trace: %zu events in '%s'%s; chrome://tracing and ui.perfetto.dev show them\n",
        n_events, printable(file.path, PRINTABLE_MOST).text,
        n_events == MOST_EVENTS ? " (there were more)" : "");
    file_commit(&file);
}
