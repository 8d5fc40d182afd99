/* The repetition penalty. Before you read on: make hint-12 EX=repetition_penalty */
#include "12-generation/repetition_penalty.h"

#include <stdlib.h>

#include "base/memory.h"

/* All are computed before the first is stored: however often a token occurs, it gets
 * the same number each time. */
void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty) {
    double *penalized = checked_alloc(n_context, sizeof *penalized);
    for (size_t i = 0; i < n_context; i++) {
        double score = scores[context[i]];
        penalized[i] = score < 0 ? score * penalty : score / penalty;
    }
    for (size_t i = 0; i < n_context; i++) scores[context[i]] = penalized[i];
    free(penalized);
}
