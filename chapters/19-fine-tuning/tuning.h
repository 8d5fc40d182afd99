/* Fine-tuning: a model that knows one text learns another, with some of the old one in
 * each batch, all of its weights or a low-rank change of them. */
#ifndef CHAPTER_19_TUNING_H
#define CHAPTER_19_TUNING_H

#include "00-tensors/optimizer.h"
#include "11-training/dataset.h"
#include "19-fine-tuning/adapters.h"
#include "19-fine-tuning/stories.h"

typedef struct {
    uint64_t seed;
    size_t steps, batch;  /* stories, or windows of a text, in a batch */
    double replay;        /* share of them that are old ones */
    size_t rank;          /* of LoRA; 0: all weights are trained */
    const char *matrices; /* that LoRA changes (adapters.h); NULL: all of a block */
    const char *adapter;  /* directory of a change that is tuned on; NULL: a new one */
    double rate;          /* the highest; 0: that of tuning_rate */
    bool answers_only;    /* the prompts are no targets */
} TuningSettings;

/* The learning rate where none is given: 1e-3, with LoRA 2e-2. */
double tuning_rate(const TuningSettings *settings);

/* What rows are drawn from, one of them: stories, or the training part of a text. */
typedef struct {
    const Stories *stories;
    const Dataset *windows;
} TuningText;

typedef struct {
    TuningSettings settings;
    Gpt2 *model;
    TuningText text[LANGUAGES];
    Adapters adapters; /* none where all weights are trained */
    AdamW optimizer;
    Tape tape;
    size_t length, step; /* inputs in a row; steps done */
    int *inputs, *targets;
} Tuning;

/* Of a model with gradients, which stays the caller's. Ends the program where a story
 * is longer than its context. */
Tuning tuning_create(const TuningSettings *settings, Gpt2 *model,
                     const Stories *old_text, const Stories *new_text);

/* The same with windows of `length` tokens; old_text NULL: without replay. */
Tuning tuning_create_windows(const TuningSettings *settings, Gpt2 *model,
                             const Dataset *old_text, const Dataset *new_text,
                             size_t length);
void tuning_free(Tuning *t);

/* One step, and its loss in nats a token. */
float tuning_step(Tuning *t);

/* The mean loss in nats a token of a text's validation part, in at most `most`
 * windows. */
double tuning_text_loss(Tuning *t, const Dataset *text, size_t most);

#endif
