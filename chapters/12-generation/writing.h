/* A model with its tokenizer and a prompt: what the programs of chapters 12 and 13 write text with. */
#ifndef CHAPTER_12_WRITER_H
#define CHAPTER_12_WRITER_H

#include "09-tokenizer/tokenizer.h"
#include "12-generation/generate.h"
#include "12-generation/latency.h"

typedef struct {
    Gpt2 *model;
    Tokenizer *tokenizer; /* NULL: a model of another vocabulary, used with ids */
    bool print_ids;       /* print ids, not text; always so without a tokenizer */
    int *prompt;
    size_t n_prompt;
    char *written; /* all text so far, prompts included, as it was printed */
    size_t n_written;
    Latency latency; /* of all new tokens so far */
} Writer;

/* The model in a Hugging Face directory, with the vocab.json and merges.txt beside it. A model of 257 tokens
 * without these has bytes for tokens; any other can only be used with ids. */
Writer writer_load(const char *directory);

/* A small model, trained here and now on the built-in corpus for so many steps of about 1000 tokens. */
typedef struct {
    size_t n_layer, d_model, n_ctx, steps;
} SmallModel;
Writer writer_train(uint64_t seed, const SmallModel *size);

/* What to go on from: a text ("-" reads standard input; an empty one is <|endoftext|>), or ids. */
void writer_set_prompt(Writer *w, const char *text);
void writer_set_ids(Writer *w, const char *ids);

/* The ids of a text, in new memory; <|endoftext|> where it is empty. Ends the program without a tokenizer. */
int *writer_encode(const Writer *w, const char *text, size_t bytes, size_t *n);

/* The one token that `text` is: an id, or a text that is one token of the vocabulary, where \n stands for a
 * line feed. Ends the program with the number of tokens when it is not one. */
int writer_token(const Writer *w, const char *text);

/* Prints tokens and a line feed. */
void writer_print(Writer *w, const int *tokens, size_t n);

/* Goes on from the prompt and prints it and the new text as it comes. Says so when the model's context is
 * full. Returns the number of new tokens. */
size_t writer_write(Writer *w, LanguageModel lm, const GenerateSettings *settings, Random *random);

/* On stderr: why a text of n_prompt and n_new tokens ended before max_new_tokens, if the context was full. */
void writer_say_full(size_t n_new, size_t n_ctx, int last, const GenerateSettings *settings);

void writer_free(Writer *w);

#endif
