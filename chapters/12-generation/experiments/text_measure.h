/* Texts written by a strategy, all of one length, and what is counted in them. */
#ifndef CHAPTER_12_TEXT_MEASURE_H
#define CHAPTER_12_TEXT_MEASURE_H

#include "12-generation/sampling.h"
#include "12-generation/trained_models.h"

/* Distinct n-grams (n = 4) are different ones divided by all; the more of the text
 * counts as one, the more of them repeat. */
typedef struct {
    double perplexity;
    double distinct;   /* of all texts together */
    double in_texts;   /* of each text by itself, the mean */
    double in_stories; /* of each story by itself, the mean over 4-grams */
    double openings;   /* different first four tokens of the stories that one text
                          begins, divided by how many it begins: the mean over texts
                          that begin two or more */
    double all_alike;  /* the same, were all the stories of a text to begin alike */
} TextMeasure;

/* Goes on from 24 story beginnings of the corpus, to 128 tokens each, and measures what
 * was written; sampling NULL: the corpus's own texts. */
TextMeasure measure_strategy(const TextModel *m, const SamplingSettings *sampling,
                             uint64_t seed);

#endif
