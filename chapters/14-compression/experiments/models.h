/* The models that this chapter's experiments code: trained once, then kept as files. */
#ifndef CHAPTER_14_MODELS_H
#define CHAPTER_14_MODELS_H

#include "12-generation/text_model.h"

/* Three small ones, of seeds `seed`, `seed` + 1 and `seed` + 2, and one of 3.3 million
 * parameters. */
enum { SMALL_MODELS = 3, LARGE_MODEL = SMALL_MODELS, MODELS };

/* Model number i, as text_model_kept gives it. `quick`: a tenth of the training.
 * text_model_free it. */
TextModel kept_model(size_t i, uint64_t seed, bool quick);

/* "small 1" ... "small 3", "large": how the CSV files call them. */
const char *model_name(size_t i);

#endif
