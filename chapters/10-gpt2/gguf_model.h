/* GPT-2 in one GGUF file, as llama.cpp reads and writes it: weights in any type of
 * weight_blocks.h, and the tokenizer. Its matrices are [out, in], where ours and
 * Hugging Face's are [in, out]: the weights of linear layers are stored transposed
 * (weight.h). */
#ifndef CHAPTER_10_GGUF_MODEL_H
#define CHAPTER_10_GGUF_MODEL_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/load.h"

/* Of architecture "gpt2", whose activation is the tanh form of GELU. A head of its own
 * (output.weight) must be the token table again; in another type, PARAMS_MAPPED takes
 * it for the head, and the others do without. */
extern const ModelFormat gguf_format;

/* Is this a linear layer's weight, which lies the other way round there? */
bool gguf_is_transposed(const Param *param);

/* Replaces the file. Linear layers' weights that are stored transposed, and tables in
 * any of these types, go as they are, floats as F32. Without a tokenizer llama.cpp
 * refuses the file; this program does not. Ends the program for a model that the
 * architecture does not describe. */
void gguf_model_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path);

#endif
