/* The small models of this chapter's experiments: two layers of 64 features, trained on
 * windows of 64 bytes of the built-in language, and asked at three times that
 * length. */
#ifndef CHAPTER_18_SMALL_MODELS_H
#define CHAPTER_18_SMALL_MODELS_H

#include "10-gpt2/gpt2.h"
#include "program/program.h"

enum { WIDTH = 64, HEADS = 4, LAYERS = 2, BYTES = 128, BATCH = 8 };
enum { TRAINED = 64, ASKED = 192, BUCKET = 16, BUCKETS = ASKED / BUCKET };
enum { MAX_SEEDS = 3 };

/* The texts, and how much is trained. */
typedef struct {
    size_t steps, n_seeds;
    int *text, *unseen; /* [bytes] */
    size_t bytes, unseen_bytes;
} SmallRuns;

/* A model's loss in each part of a window, nats a byte. */
typedef struct {
    double losses[BUCKETS];
} LossByPosition;

/* Three seeds of 600 steps; with --quick less. */
SmallRuns small_runs_begin(const Settings *settings);
void small_runs_end(SmallRuns *runs);

/* GPT-2 of these sizes, and LLaMA with as many weights: SwiGLU of 171 hidden units. */
Gpt2Config small_gpt2(void);
Gpt2Config small_llama(void);

/* A new model, trained: the same seed gives every configuration the same batches. Then
 * `steps` more, on windows of `length`, with rates from `rate` down to 0. */
Gpt2 *small_trained(const SmallRuns *runs, const Gpt2Config *config, uint64_t seed);
void small_train(const SmallRuns *runs, Gpt2 *model, uint64_t seed, size_t steps,
                 size_t length, float rate);

/* On windows of unseen text, three times as long as those of the training. */
LossByPosition small_ask(const SmallRuns *runs, const Gpt2 *model);

/* The mean up to the trained length, and behind it. */
double loss_inside(const LossByPosition *l);
double loss_past(const LossByPosition *l);

#endif
