/* The norm is asked first, and numbers are compared by their quotient. */
#include "08-transformer-block/repair.h"

#include <math.h>

Fault find_fault(const BlockGradients *g) {
    double attn = g->attn_bias / g->out, mlp = g->mlp_bias / g->out;
    bool attn_last = fabs(attn - 1) < 1e-5, mlp_last = fabs(mlp - 1) < 1e-5;
    if (g->ln_2 == 0) return ONE_NORM;
    if (g->attn == 0) return CUT_OFF;
    if (attn_last) return mlp_last ? PARALLEL : FFN_FIRST;
    if (fabs(g->through) > 0.5) return WIRED_RIGHT;
    return attn > 1 ? NO_FIRST_SUM : NO_SECOND_SUM;
}

size_t repair(FaultyBlock *b) {
    size_t turned = 0;
    while (turned < N_FAULTS) {
        BlockGradients g = faulty_block_gradients(b);
        Fault fault = find_fault(&g);
        if (fault == WIRED_RIGHT) break;
        faulty_block_rewire(b, fault);
        turned++;
    }
    return turned;
}
