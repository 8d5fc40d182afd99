/* Hugging Face's GPT-2 directories: config.json and model.safetensors, read and
 * written. */
#ifndef CHAPTER_10_CHECKPOINT_H
#define CHAPTER_10_CHECKPOINT_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"
#include "checkpoints/directory.h"

/* Bounds that no GPT-2 reaches, so that a hostile config is refused before it costs
 * memory or time. */
enum {
    GPT2_MAX_VOCAB = 1 << 24,
    GPT2_MAX_CONTEXT = 1 << 24,
    GPT2_MAX_LAYERS = 1 << 10,
    GPT2_MAX_HEADS = 1 << 12,
    GPT2_MAX_WIDTH = 1 << 16
};

/* Reads config.json of the directory. What this GPT-2 cannot do is refused by name. */
Gpt2Config gpt2_read_config(const char *directory);

/* The model in the directory, or in a GGUF file (gguf_model.h) where the path is one.
 * In a directory it is one model.safetensors, or the shards that
 * model.safetensors.index.json names. Tensors may carry the prefix "transformer."; the
 * masks that older files hold (h.N.attn.bias, .masked_bias) are skipped; lm_head.weight
 * may be there if it is the token embedding again. PARAMS_MAPPED uses float32 weights,
 * and matrices of float16 and bfloat16, where they are in the file, without a copy
 * (weight.h); other numbers become floats in memory. Names, shapes and types are
 * checked; an error names the file and the tensor. PARAMS_TRAIN also asks that all
 * numbers are finite. */
Gpt2 *gpt2_load(const char *directory, ParamsMode mode);

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
