/* The tape: see tape.h. */
#include "tape.h"

#include <string.h>

#include "error.h"

struct TapeNode {
    TapeNode *previous;
    void (*backward)(void *saved);
    void *saved;
};

Tape tape_create(uint64_t seed) {
    return (Tape){.recording = true, .training = true, .random = random_create(seed)};
}

void tape_reset(Tape *t) {
    arena_reset(&t->arena);
    t->last = NULL;
    t->n_nodes = 0;
}

void tape_free(Tape *t) {
    arena_free(&t->arena);
    t->last = NULL;
    t->n_nodes = 0;
}

void *tape_alloc(Tape *t, size_t count, size_t size) { return arena_alloc(&t->arena, count, size); }

Tensor *tape_output(Tape *t, int ndim, const size_t *shape, bool wants_grad) {
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
    Tensor *x = tape_output(t, ndim, shape, false);
    memcpy(x->data, data, tensor_size(x) * sizeof(float));
    return x;
}

bool tape_wants_grad(const Tape *t, const Tensor *const *inputs, size_t n) {
    if (!t->recording) return false;
    for (size_t i = 0; i < n; i++) {
        if (inputs[i] && inputs[i]->grad) return true;
    }
    return false;
}

void tape_record(Tape *t, void (*backward)(void *saved), const void *saved, size_t size) {
    TapeNode *node = tape_alloc(t, 1, sizeof *node);
    node->previous = t->last;
    node->backward = backward;
    node->saved = memcpy(tape_alloc(t, 1, size), saved, size);
    t->last = node;
    t->n_nodes++;
}

//> replay
void tape_backward_from_grad(Tape *t) {
    for (TapeNode *node = t->last; node; node = node->previous) node->backward(node->saved);
}
//< replay

void tape_backward(Tape *t, Tensor *loss) {
    char text[TENSOR_SHAPE_TEXT];
    if (tensor_size(loss) != 1) die("tape_backward: the loss is %s, expected one element", tensor_shape_text(loss, text));
    if (!loss->grad) die("tape_backward: the loss has no gradient: nothing was recorded that leads to it");
    loss->grad[0] = 1.0f;
    tape_backward_from_grad(t);
}

/* --- operations so small that no chapter owns them --- */

typedef struct {
    Tensor *out, *a, *b;
    const float *weights;
    float factor;
} Saved;

static void accumulate(float *into, const float *from, float factor, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) into[i] += factor * from[i];
}

static void add_backward(void *saved) {
    Saved *s = saved;
    size_t n = tensor_size(s->out);
    if (s->a->grad) accumulate(s->a->grad, s->out->grad, 1.0f, n);
    if (s->b->grad) accumulate(s->b->grad, s->out->grad, 1.0f, n);
}

Tensor *tape_add(Tape *t, Tensor *a, Tensor *b) {
    tensor_expect_same_shape("tape_add", a, b);
    Tensor *out = tape_output(t, a->ndim, a->shape, TAPE_WANTS_GRAD(t, a, b));
    size_t n = tensor_size(a);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = a->data[i] + b->data[i];
    if (out->grad) tape_record(t, add_backward, &(Saved){.out = out, .a = a, .b = b}, sizeof(Saved));
    return out;
}

static void scale_backward(void *saved) {
    Saved *s = saved;
    accumulate(s->a->grad, s->out->grad, s->factor, tensor_size(s->out));
}

Tensor *tape_scale(Tape *t, Tensor *x, float factor) {
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
    size_t n = tensor_size(x);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = factor * x->data[i];
    if (out->grad) tape_record(t, scale_backward, &(Saved){.out = out, .a = x, .factor = factor}, sizeof(Saved));
    return out;
}

static void accumulate_product(float *into, const float *x, const float *y, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) into[i] += x[i] * y[i];
}

static void mul_backward(void *saved) {
    Saved *s = saved;
    size_t n = tensor_size(s->out);
    if (s->a->grad) accumulate_product(s->a->grad, s->out->grad, s->b->data, n);
    if (s->b->grad) accumulate_product(s->b->grad, s->out->grad, s->a->data, n);
}

Tensor *tape_mul(Tape *t, Tensor *a, Tensor *b) {
    tensor_expect_same_shape("tape_mul", a, b);
    Tensor *out = tape_output(t, a->ndim, a->shape, TAPE_WANTS_GRAD(t, a, b));
    size_t n = tensor_size(a);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = a->data[i] * b->data[i];
    if (out->grad) tape_record(t, mul_backward, &(Saved){.out = out, .a = a, .b = b}, sizeof(Saved));
    return out;
}

Tensor *tape_reshape(Tape *t, Tensor *x, int ndim, const size_t *shape) {
    Tensor *view = tape_alloc(t, 1, sizeof *view);
    *view = (Tensor){.ndim = ndim, .data = x->data, .grad = x->grad};
    memcpy(view->shape, shape, (size_t)ndim * sizeof *shape);
    if (tensor_size(view) != tensor_size(x)) {
        char from[TENSOR_SHAPE_TEXT], to[TENSOR_SHAPE_TEXT];
        die("tape_reshape: %s does not have as many elements as %s", tensor_shape_text(x, from),
            tensor_shape_text(view, to));
    }
    return view;
}

static void weighted_sum_backward(void *saved) {
    Saved *s = saved;
    accumulate(s->a->grad, s->weights, s->out->grad[0], tensor_size(s->a));
}

Tensor *tape_weighted_sum(Tape *t, Tensor *x, const float *weights) {
    size_t n = tensor_size(x);
    float *copy = memcpy(tape_alloc(t, n, sizeof *copy), weights, n * sizeof *copy);
    Tensor *out = tape_output(t, 1, (size_t[]){1}, TAPE_WANTS_GRAD(t, x));
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)copy[i] * (double)x->data[i];
    out->data[0] = (float)sum;
    if (out->grad) {
        tape_record(t, weighted_sum_backward, &(Saved){.out = out, .a = x, .weights = copy}, sizeof(Saved));
    }
    return out;
}
