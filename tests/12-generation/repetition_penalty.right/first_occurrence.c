/* A token has its turn where it stands for the first time. */
#include "12-generation/repetition_penalty.h"

#include <stdbool.h>

static bool contains(const int *tokens, size_t n, int token) {
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] == token) return true;
    }
    return false;
}

void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty) {
    for (size_t i = 0; i < n_context; i++) {
        int token = context[i];
        if (contains(context, i, token)) continue; /* it had its turn */
        double score = scores[token];
        scores[token] = score < 0 ? score * penalty : score / penalty;
    }
}
