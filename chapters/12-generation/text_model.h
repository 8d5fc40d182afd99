/* A model and the tokenizer that belongs to it. */
#ifndef CHAPTER_12_TEXT_MODEL_H
#define CHAPTER_12_TEXT_MODEL_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"

typedef struct {
    Gpt2 *model;
    Tokenizer *tokenizer; /* NULL: a model of another vocabulary, used with ids */
} TextModel;

/* The model in a Hugging Face directory, with the vocab.json and merges.txt beside it.
 * A model of 257 tokens without these has bytes for tokens; any other can only be used
 * with ids. */
TextModel text_model_load(const char *directory);

/* A small model, trained here and now on the built-in corpus for so many steps of about
 * 1000 tokens. */
typedef struct {
    size_t n_layer, d_model, n_ctx, steps;
} SmallModel;
TextModel text_model_train(uint64_t seed, const SmallModel *size);

/* The same for experiments: from build/models/, where an earlier call has left it, also
 * that of another program; or trained, and left there. */
TextModel text_model_kept(uint64_t seed, const SmallModel *size);

void text_model_free(TextModel *m);

/* The one token that `text` is: an id, or a text that is one token of the vocabulary,
 * where \n stands for a line feed. Ends the program with the number of tokens when it
 * is not one. */
int text_model_token(const TextModel *m, const char *text);

#endif
