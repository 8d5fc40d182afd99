/* The tape: records the operations of a step, so that gradients can be computed
 * backwards, and so that the record can be printed.
 *
 * Layer: above tensors and the arena, below every layer of the model. Call tape_create
 * or tape_for_inference once, the layers' functions in each step, tape_backward behind
 * the loss, tape_reset at the end of the step. Never keep a tensor of the tape beyond
 * tape_reset, and never write an operation's output or inputs once it is recorded: its
 * backward kernel will read them.
 *
 * Every operation on tensors runs its forward kernel at once and leaves a node: its
 * name, its output, its inputs, and which function takes the gradient back.
 * tape_backward replays the nodes in reverse. Outputs, gradients and nodes live in an
 * arena that tape_reset empties after each step.
 *
 * A layer writes an operation like this (relu, chapter 00):
 *
 *     static void backward(const TapeNode *node) {
 *         Tensor *x = node->inputs[0], *out = node->out;
 *         relu_backward(x->grad, out->grad, x->data, tensor_size(x));
 *     }
 *
 *     Tensor *relu(Tape *t, Tensor *x) {
 *         Tensor *out = tape_output(t, "relu", x->ndim, x->shape, TAPE_INPUTS(x));
 *         relu_forward(out->data, x->data, tensor_size(x));
 *         tape_record(t, out, backward);
 *         return out;
 *     }
 *
 * Backward kernels add to gradients (+=), because a tensor may be used more than once;
 * a gradient pointer that is NULL means that the gradient is not needed. */
#ifndef TENSOR_TAPE_H
#define TENSOR_TAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensor/arena.h"
#include "math/random.h"
#include "tensor/tensor.h"

typedef struct TapeNode TapeNode;

/* Takes the gradient of node->out back to the inputs. */
typedef void TapeBackward(const TapeNode *node);

struct TapeNode {
    const char *operation; /* "linear", "relu" */
    Tensor *out;
    Tensor **inputs; /* [n_inputs] as the operation named them; NULL where it has none
                        (no bias) */
    size_t n_inputs, number; /* the first node of a step is number 1 */
    TapeBackward *backward;
    void *saved; /* what else backward needs: statistics, a mask */
    TapeNode *previous;
};

/* Called for a parameter as soon as its gradient is final: every operation that used it
 * has gone backwards. */
typedef void TapeGradientReady(void *context, Tensor *param);

/* Called for each operation when its output is computed, and again when its backward
 * kernel has added to the gradients of its inputs. It may change these numbers, which
 * no other operation has read yet. */
typedef enum { TAPE_FORWARD, TAPE_BACKWARD } TapePass;
typedef void TapeWatch(void *context, const TapeNode *node, TapePass pass);

typedef struct {
    Arena arena;
    TapeNode *last; /* the newest node; each points to the one before it */
    size_t n_nodes;
    bool recording; /* off for inference: no gradients, no nodes, the same layer code */
    bool keeps_nodes; /* on: nodes where no gradient is wanted, too, to be looked at */
    bool training;    /* on: dropout drops, BatchNorm uses the batch's statistics */
    bool reuses_gradients; /* gradients share memory: tape_for_training */
    Random random;         /* what dropout draws from; each use takes its own numbers */
    TapeGradientReady *on_gradient_ready; /* NULL: no callback */
    void *ready_context;
    TapeWatch *watch; /* NULL: none; never called where nothing is recorded */
    void *watch_context;
    struct TapeSpare *spare; /* memory that gradients have left behind */
    struct TracePass *trace; /* this step under --trace (trace.h), else NULL */
} Tape;

/* A tape that records and is in training mode. Dropout draws from `seed`. */
Tape tape_create(uint64_t seed);

/* The same for steps of training, after which only the gradients of parameters are
 * wanted. That of an output is there from the first operation that adds to it until its
 * own has gone backwards; then its memory, which the caches still hold, serves the
 * next. Afterwards, and before, `grad` points at no numbers. */
Tape tape_for_training(uint64_t seed);

/* A tape that neither records nor trains: outputs only. */
Tape tape_for_inference(void);

/* Turns a tape into the one and back into the other, so that its memory serves both: a
 * validation between two steps of training. */
void tape_use_for_inference(Tape *t);
void tape_use_for_training(Tape *t);

void tape_reset(Tape *t);
void tape_free(Tape *t);

/* Begins an operation: a tensor in the arena whose data is not yet set; with a gradient
 * set to zero, if the tape is recording and an input has one. Then the operation
 * computes the data, and says so with tape_record. */
Tensor *tape_output(Tape *t, const char *operation, int ndim, const size_t *shape,
                    Tensor *const *inputs, size_t n_inputs);

/* The inputs of an operation, NULL allowed:
 * tape_output(t, "linear", ndim, shape, TAPE_INPUTS(x, weight, bias)). */
#define TAPE_INPUTS(...)                                                               \
    (Tensor *const[]){__VA_ARGS__},                                                    \
        sizeof((Tensor *const[]){__VA_ARGS__}) / sizeof(Tensor *)

/* Ends the operation that `out` began. Always called; does nothing where no input has a
 * gradient. With _saved, node->saved is a copy of `size` bytes. */
void tape_record(Tape *t, const Tensor *out, TapeBackward *backward);
void tape_record_saved(Tape *t, const Tensor *out, TapeBackward *backward,
                       const void *saved, size_t size);

/* A tensor in the arena that no operation made, its data not yet set;
 * with `wants_grad`, a gradient set to zero. */
Tensor *tape_tensor(Tape *t, int ndim, const size_t *shape, bool wants_grad);

/* The same with a copy of `data` and no gradient: inputs of a model. */
Tensor *tape_input(Tape *t, int ndim, const size_t *shape, const float *data);

/* Memory in the arena that lives as long as the tensors: statistics, masks. Not
 * cleared. */
void *tape_alloc(Tape *t, size_t count, size_t size);

/* Sets the gradient of `loss`, which has one element, to 1 and runs all nodes in
 * reverse. */
void tape_backward(Tape *t, Tensor *loss);

/* The same from any tensor whose gradient the caller has set. */
void tape_backward_from_grad(Tape *t);

/* Prints the nodes, oldest first, one a line: number, operation, the output's shape,
 * and where the inputs come from (a node's number, a parameter's name, or "input"). */
void tape_print(const Tape *t);

/* a + b, the same shape. */
Tensor *tape_add(Tape *t, Tensor *a, Tensor *b);

/* factor * x. */
Tensor *tape_scale(Tape *t, Tensor *x, float factor);

/* a * b element by element, the same shape. */
Tensor *tape_mul(Tape *t, Tensor *a, Tensor *b);

/* The same numbers (and gradients) under another shape of the same size: nothing is
 * copied. */
Tensor *tape_reshape(Tape *t, Tensor *x, int ndim, const size_t *shape);

/* The sum of weights[i] * x[i] as a tensor of one element:
 * turns any output into a scalar for a gradient check. */
Tensor *tape_weighted_sum(Tape *t, Tensor *x, const float *weights);

#endif
