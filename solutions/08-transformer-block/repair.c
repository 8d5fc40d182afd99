/* Finding a wrong wire. Before you read on: make hint-08 EX=repair */
#include "08-transformer-block/repair.h"

#include <math.h>

static bool equal(double a, double b) {
    return fabs(a - b) < 1e-5 * fmax(a, b);
}

/* The bias of a matrix that writes to the stream gets the stream's gradient at that
 * place, summed over the positions. For the branch that joins last that is dy
 * itself. */
Fault find_fault(const BlockGradients *g) {
    if (g->attn_bias == 0) return CUT_OFF;
    if (g->ln_2 == 0) return ONE_NORM;
    bool attn_is_last = equal(g->attn_bias, g->out),
         mlp_is_last = equal(g->mlp_bias, g->out);
    if (attn_is_last && mlp_is_last) return PARALLEL;
    if (attn_is_last) return FFN_FIRST;
    if (g->through > 0.5) return WIRED_RIGHT;
    return g->attn_bias < g->out ? NO_SECOND_SUM : NO_FIRST_SUM;
}

size_t repair(FaultyBlock *b) {
    for (size_t n = 0; n < N_FAULTS; n++) {
        BlockGradients g = faulty_block_gradients(b);
        Fault fault = find_fault(&g);
        if (fault == WIRED_RIGHT) return n;
        faulty_block_rewire(b, fault);
    }
    return N_FAULTS;
}
