/* Dropout on the tape, around the exercise's kernels: see dropout.h. */
#include "05-residual-blocks/dropout_layer.h"

#include "05-residual-blocks/dropout.h"
#include "base/error.h"

Random dropout_random(Tape *t, size_t n) {
    Random random = t->random;
    t->random.next += n;
    return random;
}

typedef struct {
    float p;
    Random random;
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    Tensor *x = node->inputs[0];
    dropout_backward(x->grad, node->out->grad, tensor_size(x), s->p, &s->random);
}

//> dropout_layer
Tensor *dropout(Tape *t, Tensor *x, float p) {
    if (!(p >= 0.0f && p < 1.0f))
        die("dropout: p is %g, expected 0 <= p < 1", (double)p);
    if (!t->training || p == 0.0f) return x;
    Tensor *out = tape_output(t, "dropout", x->ndim, x->shape, TAPE_INPUTS(x));
    Random random = dropout_random(t, tensor_size(x));
    dropout_forward(out->data, x->data, tensor_size(x), p, &random);
    tape_record_saved(t, out, backward, &(Saved){p, random}, sizeof(Saved));
    return out;
}
//< dropout_layer

static Tensor *layer_dropout_after(Tape *t, const void *self, Tensor *x) {
    const DropoutAfter *d = self;
    return dropout(t, layer_forward(t, d->inner, x), d->p);
}

Layer dropout_after(const DropoutAfter *self) {
    return (Layer){layer_dropout_after, self};
}
