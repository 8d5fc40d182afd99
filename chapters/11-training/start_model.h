/* The model that a training starts from, where it is not made from the seed. */
#ifndef CHAPTER_11_START_MODEL_H
#define CHAPTER_11_START_MODEL_H

#include "11-training/training_run.h"

/* The directory or GGUF file of --from; that of --save, where --resume goes on with a
 * run that started so; NULL: the model is made from the seed. Ends the program where
 * other options contradict it. */
const char *start_path(const RunOptions *o);

/* Its model, with gradients, and the dropout of the options. */
Gpt2 *start_model(const char *path, const RunOptions *o);

/* The tokens in a window of such a model. */
size_t start_length(const char *path, const RunOptions *o, const Gpt2 *model);

/* Its vocabulary, or that of --vocab where it has none. */
Tokenizer *start_tokenizer(const char *path, const RunOptions *o, const Gpt2 *model);

#endif
