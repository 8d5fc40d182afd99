/* The experiments of this chapter. */
#ifndef CHAPTER_18_EXPERIMENTS_H
#define CHAPTER_18_EXPERIMENTS_H

#include "program/program.h"

/* From GPT-2 to LLaMA in steps, each trained on the built-in language, and asked at
 * three times the length of its training. OUT/18-five-steps.csv: the loss inside of the
 * trained length and beyond it, by seed. */
void experiment_five_steps(const Settings *settings);

/* Where a model takes its positions from, inside of the trained length and beyond it:
 * learned, sinusoids, none but the causal mask, rotations, a penalty for the distance.
 * OUT/18-lengths.csv: losses by seed; OUT/18-lengths-positions.csv: by position. */
void experiment_lengths(const Settings *settings);

/* Rotary models asked at three times their length with frequencies as they were,
 * interpolated, scaled as Llama 3 does it, and with one pair slower; at once, and after
 * some steps of training at that length. OUT/18-stretch.csv,
 * OUT/18-stretch-positions.csv. */
void experiment_stretch(const Settings *settings);

/* Query heads for each head of keys and values: loss and cache, with the weights that
 * are saved left out, and given to the FFN. OUT/18-groups.csv. */
void experiment_groups(const Settings *settings);

/* The three below need a --model (published.h), and take minutes with one of 135
 * million parameters.
 *
 * What each head looks at: the first position and the one before, in text; in random
 * tokens that come twice, what followed the earlier copy (Olsson et al. 2022).
 * OUT/18-published-heads.csv; OUT/18-published-map.csv: the head with the most of the
 * last. */
void experiment_published_heads(const Settings *settings);

/* Chapter 14's codecs on it: loss and KL divergence from the model as filed.
 * OUT/18-published-codecs.csv; OUT/18-published-outliers.csv: the largest channel of
 * each matrix's inputs. */
void experiment_published_codecs(const Settings *settings);

/* Loss by the number of tokens before, 1 to 1023. OUT/18-published-positions.csv. */
void experiment_published_positions(const Settings *settings);

#endif
