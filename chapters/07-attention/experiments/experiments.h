/* The experiments of this chapter. */
#ifndef CHAPTER_07_EXPERIMENTS_H
#define CHAPTER_07_EXPERIMENTS_H

#include "program/program.h"

/* leak.csv: the loss on words drawn at random, with and without a causal mask, by
 * steps. leak-writing.csv: the two models' own sentences in a language with a rule, and
 * how they continue the language's. */
void experiment_leak(const Settings *settings);

/* induction.csv: loss and scores of the heads of one and two layers, on a text that
 * repeats itself, by steps. maps.csv: the weights of two trained heads on one
 * sentence. ablation.csv: loss and score without each head. */
void experiment_induction(const Settings *settings);

/* scale.csv: entropy and gradient of the weights by head_dim, with and without 1 /
 * sqrt(head_dim). */
void experiment_scale(const Settings *settings);

/* cost.csv: time and memory by length, of the plain and of the online kind. */
void experiment_cost(const Settings *settings);

/* The steps of the backward pass against central differences; no file. */
void experiment_gradient(const Settings *settings);

/* heads.csv: losses of models with one head or several, of as many weights, with and
 * without the division by the root of d. heads-weights.csv: at the end, the weights
 * on the two words that are asked for. */
void experiment_heads(const Settings *settings);

#endif
