/* Fine-tuning: a model that knows one language learns another, with some of the old
 * text in each batch, all of its weights or a low-rank change of them. */
#ifndef CHAPTER_19_TUNING_H
#define CHAPTER_19_TUNING_H

#include "00-tensors/optimizer.h"
#include "19-fine-tuning/adapters.h"
#include "19-fine-tuning/stories.h"

typedef struct {
    uint64_t seed;
    size_t steps, batch; /* stories in a batch */
    double replay;       /* share of the stories that are old ones */
    size_t rank;         /* of LoRA; 0: all weights are trained */
    double rate;         /* the highest; 0: that of tuning_rate */
    bool answers_only;   /* the prompts are no targets */
} TuningSettings;

/* The learning rate where none is given: 1e-3, with LoRA 2e-2. */
double tuning_rate(const TuningSettings *settings);

typedef struct {
    TuningSettings settings;
    Gpt2 *model;
    const Stories *old_text, *new_text;
    Adapters adapters; /* none for rank 0 */
    AdamW optimizer;
    Tape tape;
    size_t length, step; /* inputs in a row; steps done */
    int *inputs, *targets;
} Tuning;

/* Of a model with gradients, which stays the caller's. Ends the program where a story
 * is longer than its context. */
Tuning tuning_create(const TuningSettings *settings, Gpt2 *model,
                     const Stories *old_text, const Stories *new_text);
void tuning_free(Tuning *t);

/* One step, and its loss in nats a token. */
float tuning_step(Tuning *t);

#endif
