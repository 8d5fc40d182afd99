/* The judge of open problem 00/small_state. */
#include "00-tensors/problems/small_state.h"

#include <stdio.h>
#include <string.h>

#include "00-tensors/problems/own_optimizer.h"
#include "base/error.h"
#include "program/problem.h"

enum {
    MOST_TENSORS = 4,
    MOST_NUMBERS = 128,
    MOST_BYTES = SMALL_STATE_BYTES(MOST_NUMBERS),
    BEYOND = 64
};

/* One state has two places, and moves to the other at each step; the place that it
 * leaves is overwritten. Nothing may be kept behind it. */
typedef struct {
    _Alignas(16) unsigned char of[MOST_TENSORS][2][MOST_BYTES + BEYOND];
} States;

static void own_step(void *states, Tensor *x, size_t index, size_t step) {
    enum { MARK = 0xA5 };
    size_t n = tensor_size(x), bytes = SMALL_STATE_BYTES(n);
    if (index >= MOST_TENSORS || n > MOST_NUMBERS)
        die("the network is larger than this judge expects");
    unsigned char *from = ((States *)states)->of[index][step % 2],
                  *to = ((States *)states)->of[index][1 - step % 2];
    memset(to, MARK, MOST_BYTES + BEYOND);
    memcpy(to, from, bytes);
    memset(from, MARK, bytes);
    small_state(x->data, x->grad, n, to, step);
    for (size_t i = bytes; i < MOST_BYTES + BEYOND; i++) {
        if (to[i] != MARK)
            die("small_state wrote behind its %zu bytes for %zu numbers", bytes, n);
    }
}

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        States states = {0};
        loss[k] = own_optimizer_loss(settings->seed + k, 1, own_step, &states);
        printf("seed %zu: loss %.4f\n", k + 1, loss[k]);
    }
    problem_at_most("loss", loss, 0.001);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "00/small_state", judge);
}
