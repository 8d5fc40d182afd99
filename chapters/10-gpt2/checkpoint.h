/* GPT-2 from files of any kind; and Hugging Face's directories, config.json and
 * model.safetensors, written. */
#ifndef CHAPTER_10_CHECKPOINT_H
#define CHAPTER_10_CHECKPOINT_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/load.h"
#include "checkpoints/directory.h"

/* Reads config.json of the directory. What this GPT-2 cannot do is refused by name. */
Gpt2Config gpt2_read_config(const char *directory);

/* The GPT-2 in a directory, or in a GGUF file where the path is one: see
 * model_file_open, gguf_model.h and gpt2_load_file. */
Gpt2 *gpt2_load(const char *directory, ParamsMode mode);

/* How the file describes a GPT-2; one of another architecture ends the program. */
const ModelFormat *gpt2_format(const ModelFile *file);

/* Adds config.json, vocab.json and merges.txt (not with NULL) and model.safetensors to
 * what the directory commits next, as Hugging Face's loader reads them. Only models
 * that Hugging Face's GPT2LMHeadModel can express; others end the program. A matrix
 * that is not floats goes as "NAME.TYPE" with its bytes: only chapter 14 reads that.
 * The metadata of the weights have the checksums of the other files, for verify.h. */
void gpt2_save(const Gpt2 *model, const Tokenizer *vocabulary, Directory *directory);

/* Ends the program now if gpt2_save could not write one of its files later. */
void gpt2_expect_writable(const Directory *directory);

/* The files beside the weights. */
#define GPT2_COMPANIONS                                                                \
    { "config.json", "vocab.json", "merges.txt" }

#endif
