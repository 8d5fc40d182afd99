/* Texts one after the other with the cache: what the programs of later chapters do with
 * a model. */
#ifndef CHAPTER_13_CACHED_TEXT_H
#define CHAPTER_13_CACHED_TEXT_H

#include "12-generation/options.h"

/* Writes what the options ask for; the model is laid out meanwhile where that
 * pays, and the cache has room for the prompt and the new tokens, or for
 * the model's context. */
void write_cached_texts(const WritingOptions *o, const TextModel *m, uint64_t seed);

#endif
