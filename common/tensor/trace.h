/* The measurements of --trace: every operation of a pass with its time, its size and
 * the first number that is not finite.
 *
 * Layer: beside the tape, which calls the functions of the second part. A pass is the
 * work on a tape between two tape_reset: a training step, a window of text, a new
 * token. Work that is not on the tape (the optimizer) is measured as a span. Nothing
 * here changes a result. */
#ifndef TENSOR_TRACE_H
#define TENSOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/tape.h"

typedef enum {
    TRACE_OFF,
    TRACE_TIMES, /* only adds up times: trace_totals */
    TRACE_ALL,   /* norms and a look for numbers that are not finite, too */
} TraceMode;

/* Begins. With `path` (TRACE_ALL) all operations are also written to a file in the
 * Chrome trace format, which chrome://tracing and ui.perfetto.dev show on a time line;
 * an open failure ends the program here and not at the end of the work. */
void trace_start(TraceMode mode, const char *path);

/* Prints the pass with the most operations (of several the last) on stderr,
 * and writes the file. Does nothing the second time. */
void trace_finish(void);

/* The same for a program that ends before its time: one that has traced nothing yet,
 * as where its options are wrong, says and writes nothing. */
void trace_cut_short(void);

/* Seconds by operation, forward and backward, since trace_start or trace_clear_totals.
 * A span counts as forward. */
typedef struct {
    const char *name;
    double forward, backward;
    size_t calls;
} TraceTotal;
const TraceTotal *trace_totals(size_t *n);
void trace_clear_totals(void);

/* A span: double started = trace_clock(); ...; trace_span("AdamW", started); */
double trace_clock(void);
void trace_span(const char *name, double started);

/* --- for the tape --- */

bool trace_is_on(void);

/* An operation begins, forward or backward; its forward kernel is done;
 * its backward kernel is done; the pass ends. */
void trace_begin_node(void);
void trace_end_node(Tape *t, const TapeNode *node);
void trace_end_backward(Tape *t, const TapeNode *node);
void trace_end_pass(Tape *t);

#endif
