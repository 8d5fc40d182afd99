/* A token has its turn where it stands for the last time. */
#include "12-generation/repetition_penalty.h"

void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty) {
    for (size_t i = 0; i < n_context; i++) {
        size_t later = i + 1;
        while (later < n_context && context[later] != context[i]) later++;
        if (later < n_context) continue;
        double *score = &scores[context[i]];
        if (*score > 0) {
            *score /= penalty;
        } else {
            *score *= penalty;
        }
    }
}
