/* How long tokens take: until the first one, and from each to the next. */
#ifndef CHAPTER_12_LATENCY_H
#define CHAPTER_12_LATENCY_H

#include <stddef.h>

typedef struct {
    double seconds; /* in all texts together */
    double last;    /* when the text was begun, then when its last token came */
    double *first;  /* [n_texts] seconds to the first token of each text */
    double *next;   /* [n_next] seconds from each token to the next */
    size_t n_texts, n_next;
    size_t n_tokens_of_text;
} Latency;

/* A text begins now; a token has come. */
void latency_begin_text(Latency *l);
void latency_token(Latency *l);

/* One line on stderr: tokens a second, time to the first token, time from token to
 * token. Nothing where there were no tokens. */
void latency_print(const Latency *l);

void latency_free(Latency *l);

#endif
