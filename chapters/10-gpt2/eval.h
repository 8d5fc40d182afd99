/* How well a model predicts a text: loss, perplexity, bits per byte. */
#ifndef CHAPTER_10_EVAL_H
#define CHAPTER_10_EVAL_H

#include "10-gpt2/gpt2.h"

typedef struct {
    size_t scored;  /* tokens that were predicted: all but the first */
    size_t windows; /* forward passes */
    double nats;    /* the sum of their losses, -ln p */
} Evaluation;

/* score_text (exercise: score_text.h) after a check: n < 2, or a stride that is not 1
 * to n_ctx, ends the program. */
Evaluation gpt2_evaluate(const Gpt2 *model, const int *tokens, size_t n, size_t stride);

/* The summed loss -ln p of targets [rows], where targets[r] is the token behind row r
 * of hidden [rows, d_model] (what gpt2_hidden gives). The head reads a few rows at a
 * time. */
double nats_of_rows(Tape *t, const Gpt2 *model, const float *hidden, const int *targets,
                    size_t rows);

/* The mean loss in nats per scored token; exp of it; and the bits that the text's bytes
 * cost on average, which can be compared between tokenizers: nats / ln 2 / bytes. */
double evaluation_loss(const Evaluation *e);
double evaluation_perplexity(const Evaluation *e);
double evaluation_bits_per_byte(const Evaluation *e, size_t bytes);

#endif
