/* Families of models: which functions read and write their files. GPT-2's is always
 * there; the program of a later chapter adds another, and every command that reads a
 * model reads that, too. */
#ifndef CHAPTER_10_FAMILY_H
#define CHAPTER_10_FAMILY_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"
#include "checkpoints/directory.h"

typedef struct {
    bool (*is)(const char *path); /* does a directory or a GGUF file hold one? */
    Gpt2 *(*load)(const char *path, ParamsMode mode);
    Tokenizer *(*tokenizer)(const char *path, size_t n_vocab); /* NULL: there is none */
    /* Writing; `describes` NULL: these are for reading only. */
    bool (*describes)(const Gpt2Config *config);
    void (*save)(const Gpt2 *model, const Tokenizer *tokenizer, Directory *directory);
    bool saves_floats_only; /* into a directory; GPT-2's may hold coded matrices */
    void (*save_gguf)(const Gpt2 *model, const Tokenizer *tokenizer, const char *path);
    Gpt2Config (*config)(const Gpt2Config *gpt2); /* of the same sizes, to be trained */
} ModelFamily;

/* In front of those that are there. */
void family_add(const ModelFamily *family);

/* The model at the path, of whichever family it is; and what it has for a tokenizer: of
 * the directory `vocabulary` where that is not NULL (model_tokenizer.h). */
Gpt2 *family_load(const char *path, ParamsMode mode);
Tokenizer *family_tokenizer(const char *vocabulary, const char *path, size_t n_vocab);

/* Writes the model, as its family does, to one GGUF file where the path ends in
 * ".gguf", else to a directory. Tokenizer may be NULL. */
void family_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path);

/* Adds its files to what the directory commits next. */
void family_add_files(const Gpt2 *model, const Tokenizer *tokenizer,
                      Directory *directory);
bool is_gguf_path(const char *path);

/* Can matrices of this type of the model at `from` be written so? Ends the program with
 * a line on --out where they cannot. */
void family_expect_saves(const char *from, const WeightType *type, const char *path);

#endif
