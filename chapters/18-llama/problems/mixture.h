/* A mixture of experts on the tape, routed by what a learner wrote: see experts.h. */
#ifndef CHAPTER_18_MIXTURE_H
#define CHAPTER_18_MIXTURE_H

#include "04-ffn-swiglu/ffn.h"
#include "18-llama/problems/experts.h"

typedef struct {
    Linear router; /* [d_model, EXPERTS], no bias */
    Ffn experts[EXPERTS];
} Mixture;

/* experts_route, and the end of the program where it chooses or weighs what there is
 * not. */
void route_checked(int chosen[ACTIVE], float weights[ACTIVE],
                   const float scores[EXPERTS]);

/* x [n, d_model] -> [n, d_model]. `m` must live as long as the tape's step. */
Tensor *mixture(Tape *t, const Mixture *m, Tensor *x);

#endif
