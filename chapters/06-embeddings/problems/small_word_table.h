/* Open problem 06/small_word_table (**): vectors for 1024 words from a seventh of the
 * numbers */
#ifndef CHAPTER_06_SMALL_WORD_TABLE_H
#define CHAPTER_06_SMALL_WORD_TABLE_H

#include "06-embeddings/experiments/class_language.h"
#include "weights/params.h"
#include "tensor/tape.h"

/* A model names the class of the next word from a vector of DIM numbers for the word.
 * The words are those of the language in an order that is drawn anew: a word's number
 * says nothing. */
enum { DIM = 32, MOST_NUMBERS = LANGUAGE_WORDS * DIM / 7 };

typedef struct {
    Tensor *learned[4]; /* as many as you need */
} SmallTable;

/* Registers at most MOST_NUMBERS numbers, which AdamW will train, and sets their first
 * values. */
SmallTable small_table_create(Params *params, Random *init);

/* words [n] -> [n, DIM] */
Tensor *small_table_rows(Tape *t, const SmallTable *table, const int *words, size_t n);

#endif
