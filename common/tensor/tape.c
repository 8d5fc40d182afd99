/* The tape: see tape.h. The operations that no chapter owns are in
 * tape_operations.c. */
#include "tensor/tape.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tensor/trace.h"

Tape tape_create(uint64_t seed) {
    return (Tape){.recording = true, .training = true, .random = random_create(seed)};
}

Tape tape_for_training(uint64_t seed) {
    Tape t = tape_create(seed);
    t.reuses_gradients = true;
    return t;
}

Tape tape_for_inference(void) {
    return (Tape){.recording = false, .training = false};
}

void tape_use_for_inference(Tape *t) {
    t->recording = t->training = false;
}

void tape_use_for_training(Tape *t) {
    t->recording = t->training = true;
}

static void forget_nodes(Tape *t) {
    trace_end_pass(t);
    t->last = NULL;
    t->n_nodes = 0;
    t->spare = NULL;
}

void tape_reset(Tape *t) {
    forget_nodes(t);
    arena_reset(&t->arena);
}

void tape_free(Tape *t) {
    forget_nodes(t);
    arena_free(&t->arena);
}

void *tape_alloc(Tape *t, size_t count, size_t size) {
    return arena_alloc(&t->arena, count, size);
}

Tensor *tape_tensor(Tape *t, int ndim, const size_t *shape, bool wants_grad) {
    Tensor *x = tape_alloc(t, 1, sizeof *x);
    *x = (Tensor){.ndim = ndim};
    memcpy(x->shape, shape, (size_t)ndim * sizeof *shape);
    size_t size = tensor_size(x);
    x->data = tape_alloc(t, size, sizeof(float));
    if (wants_grad) {
        x->grad = tape_alloc(t, size, sizeof(float));
        floats_zero(x->grad, size);
    }
    return x;
}

Tensor *tape_input(Tape *t, int ndim, const size_t *shape, const float *data) {
    Tensor *x = tape_tensor(t, ndim, shape, false);
    memcpy(x->data, data, tensor_size(x) * sizeof(float));
    return x;
}

/* --- gradients that share memory --- */

/* Stands for the memory of a gradient that is wanted, but not yet there. */
static float not_yet;

/* Memory that a gradient of so many numbers has left: this is written over its first
 * ones. */
struct TapeSpare {
    struct TapeSpare *next;
    size_t size;
};

static void begin_gradient(Tape *t, Tensor *x) {
    if (!x || x->grad != &not_yet) return;
    size_t size = tensor_size(x);
    struct TapeSpare **spare = &t->spare, *found;
    while (*spare && (*spare)->size != size) spare = &(*spare)->next;
    found = *spare;
    if (found) *spare = found->next;
    x->grad = found ? (float *)(void *)found : tape_alloc(t, size, sizeof *x->grad);
    floats_zero(x->grad, size);
}

static void end_gradient(Tape *t, Tensor *x) {
    size_t size = tensor_size(x);
    if (size * sizeof *x->grad >= sizeof *t->spare) {
        struct TapeSpare *left = (struct TapeSpare *)(void *)x->grad;
        *left = (struct TapeSpare){t->spare, size};
        t->spare = left;
    }
    x->grad = NULL;
}

/* --- recording --- */

static bool wants_grad(const Tape *t, Tensor *const *inputs, size_t n_inputs) {
    if (!t->recording) return false;
    for (size_t i = 0; i < n_inputs; i++) {
        if (inputs[i] && inputs[i]->grad) return true;
    }
    return false;
}

/* Of an operation that has no gradient only who looks wants a node. */
static bool wants_node(const Tape *t, const Tensor *out) {
    return out->grad || t->keeps_nodes || trace_is_on();
}

static TapeNode *add_node(Tape *t, const char *operation, Tensor *out,
                          Tensor *const *inputs, size_t n_inputs) {
    TapeNode *node = tape_alloc(t, 1, sizeof *node);
    *node = (TapeNode){.operation = operation,
                       .out = out,
                       .inputs = tape_alloc(t, n_inputs, sizeof *node->inputs),
                       .n_inputs = n_inputs,
                       .number = ++t->n_nodes,
                       .previous = t->last};
    memcpy(node->inputs, inputs, n_inputs * sizeof *inputs);
    return t->last = node;
}

Tensor *tape_output(Tape *t, const char *operation, int ndim, const size_t *shape,
                    Tensor *const *inputs, size_t n_inputs) {
    bool wanted = wants_grad(t, inputs, n_inputs);
    Tensor *out = tape_tensor(t, ndim, shape, wanted && !t->reuses_gradients);
    if (wanted && t->reuses_gradients) out->grad = &not_yet;
    if (wants_node(t, out)) add_node(t, operation, out, inputs, n_inputs);
    trace_begin_node();
    return out;
}

void tape_record_saved(Tape *t, const Tensor *out, TapeBackward *backward,
                       const void *saved, size_t size) {
    TapeNode *node = t->last;
    if (!wants_node(t, out)) return;
    if (node->out != out)
        die("tape_record: operation '%s' was begun, but another output is recorded",
            node->operation);
    trace_end_node(t, node);
    if (!out->grad) return;
    node->backward = backward;
    if (size) node->saved = memcpy(tape_alloc(t, 1, size), saved, size);
    if (t->watch) t->watch(t->watch_context, node, TAPE_FORWARD);
}

void tape_record(Tape *t, const Tensor *out, TapeBackward *backward) {
    tape_record_saved(t, out, backward, NULL, 0);
}

/* The view shares the gradient, so nothing is left to do backwards; the node keeps the
 * order of the uses. */
static void reshape_backward(const TapeNode *node) {
    (void)node;
}

Tensor *tape_reshape(Tape *t, Tensor *x, int ndim, const size_t *shape) {
    begin_gradient(t, x); /* which is the view's, too */
    Tensor *view = tape_alloc(t, 1, sizeof *view);
    *view = (Tensor){.ndim = ndim, .data = x->data, .grad = x->grad};
    memcpy(view->shape, shape, (size_t)ndim * sizeof *shape);
    if (tensor_size(view) != tensor_size(x)) {
        char from[TENSOR_SHAPE_TEXT], to[TENSOR_SHAPE_TEXT];
        die("tape_reshape: %s does not have as many elements as %s",
            tensor_shape_text(x, from), tensor_shape_text(view, to));
    }
    if (wants_grad(t, &x, 1))
        add_node(t, "reshape", view, &x, 1)->backward = reshape_backward;
    return view;
}

/* --- backwards --- */

/* How many operations are still to add to the gradient of each input. */
static void count_uses(const Tape *t) {
    for (const TapeNode *node = t->last; node; node = node->previous) {
        for (size_t i = 0; i < node->n_inputs; i++) {
            if (node->inputs[i]) node->inputs[i]->uses = 0;
        }
    }
    for (const TapeNode *node = t->last; node; node = node->previous) {
        for (size_t i = 0; node->out->grad && i < node->n_inputs; i++) {
            if (node->inputs[i]) node->inputs[i]->uses++;
        }
    }
}

static void report_ready(const Tape *t, const TapeNode *node) {
    for (size_t i = 0; i < node->n_inputs; i++) {
        Tensor *x = node->inputs[i];
        if (x && --x->uses == 0 && x->name && x->grad)
            t->on_gradient_ready(t->ready_context, x);
    }
}

static void before_backward(Tape *t, const TapeNode *node) {
    if (!node->backward)
        die("tape_backward: operation '%s' has no backward pass", node->operation);
    trace_begin_node();
    begin_gradient(t, node->out);
    for (size_t i = 0; i < node->n_inputs; i++) begin_gradient(t, node->inputs[i]);
}

/* The order matters: the trace takes the time, the watch may round, then finished
 * gradients are reported. */
static void after_backward(Tape *t, const TapeNode *node) {
    trace_end_backward(t, node);
    if (t->watch) t->watch(t->watch_context, node, TAPE_BACKWARD);
    if (t->on_gradient_ready) report_ready(t, node);
    if (t->reuses_gradients && node->backward != reshape_backward)
        end_gradient(t, node->out);
}

void tape_backward_from_grad(Tape *t) {
    if (t->on_gradient_ready) count_uses(t);
    //> replay
    for (const TapeNode *node = t->last; node; node = node->previous) {
        if (!node->out->grad) continue;
        before_backward(t, node);
        node->backward(node);
        after_backward(t, node);
    }
    //< replay
}

void tape_backward(Tape *t, Tensor *loss) {
    char text[TENSOR_SHAPE_TEXT];
    if (tensor_size(loss) != 1)
        die("tape_backward: the loss is %s, expected one element",
            tensor_shape_text(loss, text));
    if (!loss->grad)
        die("tape_backward: the loss has no gradient: nothing was recorded that leads "
            "to it");
    begin_gradient(t, loss);
    loss->grad[0] = 1.0f;
    tape_backward_from_grad(t);
}

/* --- looking at it --- */

static const TapeNode *find_node(const TapeNode *before, const Tensor *out) {
    for (const TapeNode *node = before; node; node = node->previous) {
        if (node->out == out) return node;
    }
    return NULL;
}

static void print_node(const TapeNode *node) {
    if (!node) return;
    print_node(node->previous);
    char shape[TENSOR_SHAPE_TEXT];
    printf("%4zu  %-14s %-14s", node->number, node->operation,
           tensor_shape_text(node->out, shape));
    const char *separator = " from ";
    for (size_t i = 0; i < node->n_inputs; i++) {
        const Tensor *x = node->inputs[i];
        if (!x) continue;
        const TapeNode *maker = find_node(node->previous, x);
        if (maker) {
            printf("%s%zu", separator, maker->number);
        } else {
            printf("%s%s %s", separator, x->name ? x->name : "input",
                   tensor_shape_text(x, shape));
        }
        separator = ", ";
    }
    putchar('\n');
}

void tape_print(const Tape *t) {
    printf("node  operation      output         inputs\n");
    print_node(t->last);
}
