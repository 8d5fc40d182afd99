/* The experiments of this chapter, one file each. What they do not set is as the program's options say. */
#ifndef CHAPTER_11_EXPERIMENTS_H
#define CHAPTER_11_EXPERIMENTS_H

#include "program.h"

/* 11-loss.csv: a small GPT-2 learns the built-in language; its loss against the entropy. The training of
 * `make tour`. */
void experiment_loss(const Settings *settings);

/* 11-keys.csv: for how many units of each layer the value speaks for what follows where the key fires. */
void experiment_keys(const Settings *settings);

/* 11-layer-gradients-pre.csv and -post.csv: the gradient norm of each block while training, by the placement
 * of the norm. */
void experiment_layer_gradients(const Settings *settings);

#endif
