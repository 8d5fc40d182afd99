/* How well a model predicts a text: loss, perplexity, bits per byte. */
#ifndef CHAPTER_10_EVAL_H
#define CHAPTER_10_EVAL_H

#include "10-gpt2/gpt2.h"

typedef struct {
    size_t scored;  /* tokens that were predicted: all but the first */
    size_t windows; /* forward passes */
    double nats;    /* the sum of their losses, -ln p */
} Evaluation;

/* Windows of n_ctx tokens slide over tokens [n] by `stride` (1 to n_ctx), as in Hugging
 * Face's guide to perplexity. Each token but the first is scored once, by the first
 * window that reaches it, so with at least n_ctx - stride tokens before it wherever the
 * text has as many. The first token has nothing before it and is not scored. A small
 * stride means more context and more work. n < 2 ends the program. */
Evaluation gpt2_evaluate(const Gpt2 *model, const int *tokens, size_t n, size_t stride);

/* The mean loss in nats per scored token; exp of it; and the bits that the text's bytes
 * cost on average, which can be compared between tokenizers: nats / ln 2 / bytes. */
double evaluation_loss(const Evaluation *e);
double evaluation_perplexity(const Evaluation *e);
double evaluation_bits_per_byte(const Evaluation *e, size_t bytes);

#endif
