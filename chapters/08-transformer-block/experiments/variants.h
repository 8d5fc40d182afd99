/* The value of each part of the block: blocks learn a small task, with one switch
 * turned at a time.
 *
 * The task: sentences of random digits 0 to 7; behind every digit but the first, say
 * the sum of it and the digit before it, modulo 8. Only attention can look at the
 * neighbour. A model that sees only one of the two digits can only guess: a loss of
 * ln 8. */
#ifndef CHAPTER_08_VARIANTS_H
#define CHAPTER_08_VARIANTS_H

#include "08-transformer-block/experiments/small_model.h"

enum { DIGITS = 8, DIGITS_LENGTH = 12, DIGITS_BATCH = 32 };

/* Sentences tokens [DIGITS_BATCH, DIGITS_LENGTH], and the sums in targets;
 * IGNORE_TARGET behind the first. */
void digits_draw(int *tokens, int *targets, Random *r);

typedef struct {
    const char *name;
    BlockConfig config;
    bool no_attention, no_ffn; /* the sublayer gives 0 */
} Variant;

enum { MAX_VARIANTS = 14 };

/* The variants, the full block first; returns how many. */
size_t ablation_variants(const Variant **variants);

/* The variant of that name; ends the program if there is none. */
const Variant *ablation_variant(const char *name);

typedef struct {
    size_t n_layer;
    bool scaled_init; /* the matrices that write to the stream start smaller
                         (residual_init_std of chapter 05); otherwise like all others,
                         at 1/sqrt(fan-in) */
    size_t steps;
    bool until_solved; /* ends one step behind it */
    uint64_t seed;
} AblationRun;

/* Trains and writes the loss of each step to losses [steps]; returns how many there
 * were. Every step has new sentences, so that this is the loss on sentences never
 * seen. */
size_t ablation_train(double *losses, const Variant *variant, const AblationRun *run);

/* The loss below which a variant has learned the task. */
static const double SOLVED = 0.2;

/* ln 8: the loss of a guess. */
double ablation_guess(void);

/* The first step at which the mean loss of the last 20 steps is below `bound`; n if
 * there is none. */
size_t ablation_steps_to(const double *losses, size_t n, double bound);

#endif
