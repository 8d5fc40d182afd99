/* A small model that learns to predict the next byte of a text. */
#ifndef CHAPTER_08_TEXT_MODEL_H
#define CHAPTER_08_TEXT_MODEL_H

#include "08-transformer-block/experiments/small_model.h"

/* A text whose bytes are all below the model's n_tokens. */
typedef struct {
    const char *text;
    size_t bytes;
} Text;

/* A training: the model, its text and its settings. Batches are `batch` windows of the
 * model's length. */
typedef struct {
    SmallModelConfig model;
    Text text;
    size_t batch, steps;
    float peak; /* the learning rate of AdamW, which falls linearly to 0 */
    uint64_t seed;
} TextRun;

/* tokens [batch, length] become windows that begin anywhere in the text; targets
 * [batch, length] the byte behind each of their bytes. */
void text_windows(int *tokens, int *targets, const Text *text, size_t batch,
                  size_t length, Random *r);

/* Trains, writes the loss of each step to losses [steps], and returns the model: the
 * caller frees it. */
SmallModel text_model_train(double *losses, const TextRun *run);

#endif
