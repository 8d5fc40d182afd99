/* The experiments of this chapter, one file each. What they share is in models.h and
 * measure.h. */
#ifndef CHAPTER_14_EXPERIMENTS_H
#define CHAPTER_14_EXPERIMENTS_H

#include "program/program.h"

/* rate-distortion.csv, coding-gain.csv, rate-theory.csv: the error of every
 * codec against its bits, on noise, on smooth tables and on trained weights. */
void experiment_rate_distortion(const Settings *settings);

/* claim.csv: what every codec at many rates does to the predictions of four
 * models. */
void experiment_claim(const Settings *settings);

/* group-size.csv, q4-numbers.csv, bits.csv: 4 bits, by how many weights share
 * a scale; how often each of Q4_0's 16 numbers is used; the same with 2 to 8 bits. */
void experiment_group_size(const Settings *settings);

/* integer.csv, outliers.csv: products in whole numbers against products with
 * floats; the largest input channel of each matrix. */
void experiment_integer(const Settings *settings);

/* feedback.csv: rounding to the nearest against GPTQ, by the length of the text that
 * it saw. */
void experiment_feedback(const Settings *settings);

/* sensitivity.csv, mixture.csv: one matrix alone is coded; each matrix with the
 * codec that it is worth. */
void experiment_sensitivity(const Settings *settings);

/* decoding.csv: tokens a second, resident memory and the time to the first token of
 * a model of GPT-2's size. All columns but codec, threads, bits, bytes and mb are
 * measured times and memory. */
void experiment_decoding(const Settings *settings);

/* row-cache.csv, row-cache-play.csv, row-cache-time.csv: a cache of decoded rows, its
 * hits by access pattern, and the time that they save. The last has measured times; the
 * play needs data/tinyshakespeare.txt, and without it is skipped. */
void experiment_row_cache(const Settings *settings);

/* gpt2.csv: the same codecs on OpenAI's weights. Needs data/gpt2 and
 * data/tinyshakespeare.txt; without them, it says so and writes nothing. */
void experiment_gpt2(const Settings *settings);

#endif
