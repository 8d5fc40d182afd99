/* The tape: remembers what was computed so that gradients can be computed backwards.
 *
 * Every operation on tensors runs its forward kernel at once, and records one node: which backward kernel
 * belongs to it, and what that kernel needs. tape_backward replays the nodes in reverse. Outputs, gradients
 * and nodes live in an arena that tape_reset empties after each step.
 *
 * A layer writes an operation like this (relu, chapter 00):
 *
 *     typedef struct { Tensor *out, *x; } Saved;
 *
 *     static void backward(void *saved) {
 *         Saved *s = saved;
 *         relu_backward(s->x->grad, s->out->grad, s->x->data, tensor_size(s->x));
 *     }
 *
 *     Tensor *relu(Tape *t, Tensor *x) {
 *         Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
 *         relu_forward(out->data, x->data, tensor_size(x));
 *         if (out->grad) tape_record(t, backward, &(Saved){out, x}, sizeof(Saved));
 *         return out;
 *     }
 *
 * Backward kernels add to gradients (+=), because a tensor may be used more than once; a gradient pointer
 * that is NULL means that nobody wants it. */
#ifndef COMMON_TAPE_H
#define COMMON_TAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "random.h"
#include "tensor.h"

typedef struct TapeNode TapeNode;

typedef struct {
    Arena arena;
    TapeNode *last; /* the newest node; each points to the one before it */
    size_t n_nodes;
    bool recording; /* off for inference: no gradients, no nodes, the same layer code */
    bool training;  /* on: dropout drops, BatchNorm uses the batch's statistics */
    Random random;  /* what dropout draws from; each use takes its own numbers */
} Tape;

/* A tape that records and is in training mode. Dropout draws from `seed`. */
Tape tape_create(uint64_t seed);
void tape_reset(Tape *t);
void tape_free(Tape *t);

/* A tensor in the arena whose data is not yet set; with `wants_grad`, a gradient set to zero. */
Tensor *tape_output(Tape *t, int ndim, const size_t *shape, bool wants_grad);

/* A tensor in the arena with a copy of `data` and no gradient: inputs. */
Tensor *tape_input(Tape *t, int ndim, const size_t *shape, const float *data);

/* Memory in the arena that lives as long as the tensors: statistics, masks. Not cleared. */
void *tape_alloc(Tape *t, size_t count, size_t size);

/* Whether the tape is recording and one of the tensors (NULL allowed) has a gradient. */
#define TAPE_WANTS_GRAD(t, ...)                                                                              \
    tape_wants_grad(t, (const Tensor *const[]){__VA_ARGS__},                                                 \
                    sizeof((const Tensor *const[]){__VA_ARGS__}) / sizeof(Tensor *))
bool tape_wants_grad(const Tape *t, const Tensor *const *inputs, size_t n);

/* Records a node: tape_backward will call `backward` with a copy of the `size` bytes at `saved`. */
void tape_record(Tape *t, void (*backward)(void *saved), const void *saved, size_t size);

/* Sets the gradient of `loss`, which has one element, to 1 and runs all nodes in reverse. */
void tape_backward(Tape *t, Tensor *loss);

/* The same from any tensor whose gradient the caller has set. */
void tape_backward_from_grad(Tape *t);

/* a + b, the same shape. */
Tensor *tape_add(Tape *t, Tensor *a, Tensor *b);

/* factor * x. */
Tensor *tape_scale(Tape *t, Tensor *x, float factor);

/* a * b element by element, the same shape. */
Tensor *tape_mul(Tape *t, Tensor *a, Tensor *b);

/* The same numbers (and gradients) under another shape of the same size: nothing is copied or recorded. */
Tensor *tape_reshape(Tape *t, Tensor *x, int ndim, const size_t *shape);

/* The sum of weights[i] * x[i] as a tensor of one element: turns any output into a scalar for a gradient
 * check. */
Tensor *tape_weighted_sum(Tape *t, Tensor *x, const float *weights);

#endif
