/* Where a text begins and ends: what the files beside a model say of its BOS, EOS and
 * padding tokens, and of a blank in front of a text. */
#ifndef CHAPTER_10_ENDS_H
#define CHAPTER_10_ENDS_H

#include "09-tokenizer/tokenizer.h"

/* Reads tokenizer_config.json, config.json and generation_config.json of the directory,
 * as far as they are there. Ids that the vocabulary does not have are left out. */
void read_ends(Tokenizer *t, const char *directory);

#endif
