/* Models that answer the stories' questions "Who has the ...?", and that are trained on
 * what is said of their answers. Each question has one right answer, a name, which is
 * one token. */
#ifndef CHAPTER_19_ANSWERING_H
#define CHAPTER_19_ANSWERING_H

#include "19-fine-tuning/experiments/tuned_models.h"

enum { ASKED_AT_ONCE = 8 };

typedef struct {
    size_t n, length;
    int *inputs;       /* [n, length] a story up to its question mark, and padding */
    size_t *at;        /* [n] the place of the question mark */
    int (*answers)[2]; /* [n] the right name, and a wrong one */
} Questions;

/* The first n of the stories' questions, n a multiple of ASKED_AT_ONCE; the wrong names
 * are drawn from the seed. */
Questions questions_create(const Stories *stories, size_t n, uint64_t seed);
void questions_free(Questions *q);

/* [n, n_vocab] in new memory: ln p of each token as the answer. */
float *answers_log_p(const Gpt2 *model, const Questions *q);

/* A copy of a model, and what trains it. */
typedef struct {
    Gpt2 *model;
    Tape tape;
    AdamW optimizer;
    size_t step, steps;
} Policy;

Policy policy_create(const Base *base, size_t steps);
void policy_free(Policy *p);

/* Begins a step: logits [ASKED_AT_ONCE, length, n_vocab] of the questions `first`
 * on. */
Tensor *policy_ask(Policy *p, const Questions *q, size_t first);

/* Ends it: goes down along weights, the gradient of a loss with respect to log_p. */
void policy_learn(Policy *p, Tensor *log_p, const float *weights);

#endif
