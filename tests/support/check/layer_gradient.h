/* The gradients of a layer on the tape against central differences
 * of the same layer written plainly in double.
 *
 *     static Tensor *run(Tape *t, void *context) {
 *         ... return linear(t, &c->linear, c->x);
 *     }
 *     static void plain(double *out, const double *const *in, void *context) {
 *         ... in[0] ... in[1] ...
 *     }
 *
 *     check_layer_gradient(&(LayerGradient){
 *         .layer = run, .plain = plain, .context = &c,
 *         .of = {{"dx", c.x}, {"dweight", c.linear.weight}}});
 *
 * The tensors are filled with random numbers; in[i] are those of the tensor of[i], in
 * double. Their gradients start at 1.5, so that one that is overwritten is noticed. The
 * test fails when the output or a gradient is off. */
#ifndef TESTS_LAYER_GRADIENT_H
#define TESTS_LAYER_GRADIENT_H

#include "tensor/tape.h"

enum { MAX_GRADIENTS = 8 };

/* A tensor and what its gradient is called.
 * With `tensor` NULL (this kind of layer does not have it) in[i] is NULL. */
typedef struct {
    const char *name;
    Tensor *tensor;
} GradientOf;

typedef struct {
    Tensor *(*layer)(Tape *t, void *context);
    void (*plain)(double *out, const double *const *in, void *context);
    void *context;
    GradientOf of[MAX_GRADIENTS]; /* up to the first without a name */
    double std;                   /* of the random numbers; 0: 1 */
    double step, tolerance; /* 0: 1e-5. Larger where `plain` is no better than float */
} LayerGradient;

void check_layer_gradient(const LayerGradient *check);

#endif
