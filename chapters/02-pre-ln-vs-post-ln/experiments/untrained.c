/* An untrained network: see untrained.h. */
#include "02-pre-ln-vs-post-ln/experiments/untrained.h"

#include <stdlib.h>

#include "00-tensors/softmax_layer.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "base/memory.h"

Untrained untrained_create(Placement placement, size_t depth, uint64_t seed) {
    Untrained u = {.params = {.mode = PARAMS_TRAIN},
                   .data = random_stream(seed, STREAM_DATA)};
    Random init = random_stream(seed, STREAM_INIT);
    u.stack = stack_create(&u.params, &init, setup_stack(placement, depth));
    u.teacher = teacher_create(setup.width, CLASSES);
    u.tape = tape_create(seed);
    u.x = checked_alloc(setup.width, sizeof *u.x);
    return u;
}

void untrained_backward(Untrained *u) {
    int target;
    teacher_batch(&u->teacher, &u->data, u->x, &target, 1);
    tape_reset(&u->tape);
    Tensor *x = tape_input(&u->tape, 2, (size_t[]){1, setup.width}, u->x);
    Tensor *logits = stack(&u->tape, &u->stack, x);
    tape_backward(&u->tape, cross_entropy(&u->tape, logits, &target));
}

void untrained_free(Untrained *u) {
    free(u->x);
    tape_free(&u->tape);
    teacher_free(&u->teacher);
    stack_free(&u->stack);
    params_free(&u->params);
}
