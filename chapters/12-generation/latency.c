/* How long tokens take: see latency.h. */
#include "12-generation/latency.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "math/fit.h"
#include "base/memory.h"

static void append(double **list, size_t *n, double value) {
    *list = checked_realloc(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = value;
}

void latency_begin_text(Latency *l) {
    l->last = clock_seconds();
    l->n_tokens_of_text = 0;
}

void latency_token(Latency *l) {
    double now = clock_seconds(), taken = now - l->last;
    if (l->n_tokens_of_text++ == 0) {
        append(&l->first, &l->n_texts, taken);
    } else {
        append(&l->next, &l->n_next, taken);
    }
    l->seconds += taken;
    l->last = now;
}

void latency_print(const Latency *l) {
    size_t n = l->n_texts + l->n_next;
    if (n == 0) return;
    fprintf(stderr, "%zu tokens in %.2f s: %.1f tokens/s; first token after %.2f ms", n,
            l->seconds, (double)n / l->seconds,
            1e3 * quantile(l->first, l->n_texts, 0.5));
    if (l->n_next) {
        fprintf(stderr, "; then %.2f ms a token (p50), %.2f ms (p95)",
                1e3 * quantile(l->next, l->n_next, 0.5),
                1e3 * quantile(l->next, l->n_next, 0.95));
    }
    fputc('\n', stderr);
}

void latency_free(Latency *l) {
    free(l->first);
    free(l->next);
    *l = (Latency){0};
}
