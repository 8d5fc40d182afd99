/* Open problem 18/experts. The rules are in chapters/18-llama/problems/experts.h. */
#include "18-llama/problems/experts.h"

#include "program/problem.h"

void experts_route(int chosen[ACTIVE], float weights[ACTIVE],
                   const float scores[EXPERTS]) {
    PROBLEM_TODO("18/experts");
    (void)scores;
    for (int k = 0; k < ACTIVE; k++) {
        chosen[k] = k;
        weights[k] = 1;
    }
}

void experts_route_backward(float dscores[EXPERTS], const float dweights[ACTIVE],
                            const float scores[EXPERTS]) {
    (void)dscores;
    (void)dweights;
    (void)scores;
}
