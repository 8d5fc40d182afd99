/* The table and the file of --trace: for trace.c alone. */
#ifndef TENSOR_TRACE_PRINT_H
#define TENSOR_TRACE_PRINT_H

#include "tensor/trace.h"

enum { TRACE_LAYER_BYTES = 64 };

/* One operation. */
typedef struct {
    const char *operation;
    char layer[TRACE_LAYER_BYTES], shape[TENSOR_SHAPE_TEXT];
    const float *out; /* its data, by which later operations find the layer */
    size_t number;    /* of the node */
    double forward, backward, out_norm, grad_norm;
} TraceRow;

typedef struct TracePass {
    size_t number, n, capacity;
    bool backward; /* it went backwards, too */
    TraceRow *rows;
} TracePass;

/* Prints the table on stderr. `pass` NULL: there was none. */
void trace_print_table(const TracePass *pass, size_t n_passes, const TraceTotal *totals,
                       size_t n_totals);

/* Between trace_file_begin and trace_file_end events are kept and written;
 * without them, trace_file_add does nothing. `row` NULL: a span. Times in seconds from
 * the trace's start. */
void trace_file_begin(const char *path);
void trace_file_add(const char *name, const char *category, const TraceRow *row,
                    double started, double seconds);
void trace_file_end(void);

#endif
