/* The models of this chapter's experiments: those of chapter 12's (two layers of width
 * 64, 600 steps on the old language), tuned in many ways. */
#ifndef CHAPTER_19_TUNED_MODELS_H
#define CHAPTER_19_TUNED_MODELS_H

#include "12-generation/text_model.h"
#include "19-fine-tuning/tuning.h"

enum { TUNED_SEEDS = 5 };

/* A model, and text of both languages. */
typedef struct {
    uint64_t seed;
    const TextModel *model;
    Languages languages;
    StoriesScore before[LANGUAGES]; /* of the model as it is */
} Base;

/* How many seeds, and steps of `steps`: less when `quick`. */
size_t tuned_seeds(bool quick);
size_t tuned_steps(size_t steps, bool quick);

/* The models of seeds `first` on; they stay to the end of the program. */
const Base *bases_create(uint64_t first, bool quick);

/* A copy of the model, tuned as the settings say but for the seed, which is the base's.
 * Several threads may call it at once. */
typedef struct {
    StoriesScore score[LANGUAGES];
    double forgotten; /* what a story of the old language costs more than before */
    size_t trained;   /* numbers that were */
} Tuned;

/* tables_stay: the tables of tokens and of positions are put back after each step. */
Tuned base_tune(const Base *base, const TuningSettings *settings, bool tables_stay);

#endif
