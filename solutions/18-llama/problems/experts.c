/* The two largest scores, and a softmax over these two. Before you read on: make
 * hint-18 P=experts */
#include "18-llama/problems/experts.h"

#include "math/fmath.h"

void experts_route(int chosen[ACTIVE], float weights[ACTIVE],
                   const float scores[EXPERTS]) {
    for (int k = 0; k < ACTIVE; k++) {
        int best = -1;
        for (int e = 0; e < EXPERTS; e++) {
            if (k > 0 && e == chosen[0]) continue;
            if (best < 0 || scores[e] > scores[best]) best = e;
        }
        chosen[k] = best;
    }
    weights[0] = 1 / (1 + exp_float(scores[chosen[1]] - scores[chosen[0]]));
    weights[1] = 1 - weights[0];
}

void experts_route_backward(float dscores[EXPERTS], const float dweights[ACTIVE],
                            const float scores[EXPERTS]) {
    int chosen[ACTIVE];
    float weights[ACTIVE];
    experts_route(chosen, weights, scores);
    float d = (dweights[0] - dweights[1]) * weights[0] * weights[1];
    dscores[chosen[0]] += d;
    dscores[chosen[1]] -= d;
}
