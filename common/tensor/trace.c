/* The measurements of --trace: see trace.h. The table and the file are written in
 * trace_print.c. */
#include "tensor/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "tensor/trace_print.h"

static TraceMode mode;
static double started;       /* of the trace: zero of the time line */
static double node_started;  /* of the operation at hand */
static TracePass *kept;      /* the pass that will be printed */
static TracePass *open_pass; /* the newest that has not ended */
static size_t n_passes;
static bool seen_bad; /* a number that is not finite was reported */
static TraceTotal *totals;
static size_t n_totals;

bool trace_is_on(void) {
    return mode != TRACE_OFF;
}

void trace_start(TraceMode wanted, const char *path) {
    mode = wanted;
    started = clock_seconds();
    if (path) trace_file_begin(path);
}

double trace_clock(void) {
    return mode == TRACE_OFF ? 0 : clock_seconds();
}

/* --- times by operation --- */

static TraceTotal *total_of(const char *name) {
    for (size_t i = 0; i < n_totals; i++) {
        if (strcmp(totals[i].name, name) == 0) return &totals[i];
    }
    totals = checked_realloc(totals, n_totals + 1, sizeof *totals);
    totals[n_totals] = (TraceTotal){.name = name};
    return &totals[n_totals++];
}

const TraceTotal *trace_totals(size_t *n) {
    *n = n_totals;
    return totals;
}

void trace_clear_totals(void) {
    n_totals = 0;
}

void trace_span(const char *name, double since) {
    if (mode == TRACE_OFF) return;
    double seconds = clock_seconds() - since;
    TraceTotal *total = total_of(name);
    total->forward += seconds;
    total->calls++;
    trace_file_add(name, "span", NULL, since - started, seconds);
}

/* --- the rows of a pass --- */

/* The L2 norm; NaN or infinity if a number is. All threads take part,
 * so that they are awake for the next operation. */
static double l2_norm(const float *x, size_t n) {
    enum { PARTS = 64 };
    double sums[PARTS] = {0}, sum = 0;
    size_t part = n / PARTS + 1;
#pragma omp parallel for if (n > 1 << 14)
    for (size_t p = 0; p < PARTS; p++) {
        for (size_t i = p * part; i < n && i < (p + 1) * part; i++)
            sums[p] += (double)x[i] * (double)x[i];
    }
    for (size_t p = 0; p < PARTS; p++) sum += sums[p];
    return sqrt(sum);
}

/* The layer that an operation belongs to is that of its parameter: "h.0.attn.c_attn"
 * of "h.0.attn.c_attn.weight". One without parameters stands behind the layer of its
 * last input. */
static void name_layer(char *layer, const TracePass *pass, const TapeNode *node) {
    *layer = '\0';
    for (size_t i = 0; i < node->n_inputs; i++) {
        const Tensor *x = node->inputs[i];
        if (!x || !x->name) continue;
        const char *end = strrchr(x->name, '.');
        int bytes = end ? (int)(end - x->name) : (int)strlen(x->name);
        snprintf(layer, TRACE_LAYER_BYTES, "%.*s", bytes, x->name);
        return;
    }
    for (size_t i = node->n_inputs; i-- > 0;) {
        for (size_t r = pass->n; node->inputs[i] && r-- > 0;) {
            if (pass->rows[r].out != node->inputs[i]->data) continue;
            memcpy(layer, pass->rows[r].layer, TRACE_LAYER_BYTES);
            return;
        }
    }
}

/* Says once where the first number is that is not finite. */
static void look_for_bad(double norm_of_it, const float *x, const Tensor *shape,
                         const char *what, const TraceRow *row) {
    if (isfinite(norm_of_it) || seen_bad) return;
    size_t i = 0, n = tensor_size(shape), rest;
    while (i < n && isfinite(x[i])) i++;
    if (i == n) return;
    seen_bad = true;
    char index[TENSOR_SHAPE_TEXT], size[TENSOR_SHAPE_TEXT];
    Tensor at = {.ndim = shape->ndim};
    rest = i;
    for (int axis = shape->ndim; axis-- > 0; rest /= shape->shape[axis])
        at.shape[axis] = rest % shape->shape[axis];
    error_begin_line();
    fprintf(stderr,
            "trace: pass %zu: the first number that is not finite is %g, at %s of the "
            "%s of %s %s%s%s%s\n",
            n_passes + 1, (double)x[i], tensor_shape_text(&at, index), what,
            row->operation, tensor_shape_text(shape, size), *row->layer ? " (" : "",
            row->layer, *row->layer ? ")" : "");
}

static TraceRow *add_row(Tape *t, const TapeNode *node) {
    if (!t->trace) t->trace = checked_alloc(1, sizeof *t->trace);
    TracePass *pass = open_pass = t->trace;
    if (pass->n == pass->capacity) {
        pass->capacity = pass->capacity ? 2 * pass->capacity : 64;
        pass->rows = checked_realloc(pass->rows, pass->capacity, sizeof *pass->rows);
    }
    TraceRow *row = &pass->rows[pass->n];
    *row = (TraceRow){
        .operation = node->operation, .number = node->number, .out = node->out->data};
    name_layer(row->layer, pass, node);
    tensor_shape_text(node->out, row->shape);
    pass->n++;
    return row;
}

void trace_begin_node(void) {
    if (mode != TRACE_OFF) node_started = clock_seconds();
}

void trace_end_node(Tape *t, const TapeNode *node) {
    if (mode == TRACE_OFF) return;
    double seconds = clock_seconds() - node_started;
    TraceTotal *total = total_of(node->operation);
    total->forward += seconds;
    total->calls++;
    if (mode != TRACE_ALL) return;
    TraceRow *row = add_row(t, node);
    row->forward = seconds;
    row->out_norm = l2_norm(node->out->data, tensor_size(node->out));
    trace_file_add(row->operation, "forward", row, node_started - started, seconds);
    look_for_bad(row->out_norm, node->out->data, node->out, "output", row);
}

void trace_end_backward(Tape *t, const TapeNode *node) {
    if (mode == TRACE_OFF) return;
    double seconds = clock_seconds() - node_started;
    total_of(node->operation)->backward += seconds;
    TraceRow *row = NULL;
    for (size_t r = t->trace ? t->trace->n : 0; r-- > 0 && !row;) {
        if (t->trace->rows[r].number == node->number) row = &t->trace->rows[r];
    }
    if (!row) return; /* nothing but times is wanted, or a view */
    row->backward = seconds;
    row->grad_norm = l2_norm(node->out->grad, tensor_size(node->out));
    t->trace->backward = true;
    trace_file_add(row->operation, "backward", row, node_started - started, seconds);
    look_for_bad(row->grad_norm, node->out->grad, node->out, "gradient of the output",
                 row);
    for (size_t i = 0; i < node->n_inputs; i++) {
        const Tensor *x = node->inputs[i];
        if (x && x->grad)
            look_for_bad(l2_norm(x->grad, tensor_size(x)), x->grad, x,
                         "gradient that leaves the backward pass", row);
    }
}

static size_t weight_of(const TracePass *pass) {
    return pass ? pass->n * (pass->backward ? 2 : 1) : 0;
}

void trace_end_pass(Tape *t) {
    TracePass *pass = t->trace;
    if (!pass) return;
    pass->number = ++n_passes;
    if (weight_of(pass) >= weight_of(kept)) {
        TracePass *other = kept;
        kept = pass;
        pass = other;
    }
    if (pass) free(pass->rows);
    free(pass);
    t->trace = NULL;
    if (open_pass != kept) open_pass = NULL;
}

void trace_cut_short(void) {
    if (n_passes || open_pass || n_totals) trace_finish();
}

void trace_finish(void) {
    if (mode != TRACE_ALL) return;
    mode = TRACE_OFF;
    /* The work was cut short, or never reset its tape. */
    TracePass *last = open_pass && open_pass != kept ? open_pass : NULL;
    if (last) last->number = ++n_passes;
    trace_print_table(weight_of(last) >= weight_of(kept) ? last : kept, n_passes,
                      totals, n_totals);
    trace_file_end();
}
