/* Adapters as files that the library PEFT reads and writes: adapter_config.json and
 * adapter_model.safetensors. There every a is stored as lora_A [rank, n_in] and every b
 * as lora_B [n_out, rank], and q, k and v of LLaMA's family are three modules. */
#ifndef CHAPTER_19_PEFT_H
#define CHAPTER_19_PEFT_H

#include <stdbool.h>

#include "19-fine-tuning/adapters.h"
#include "checkpoints/directory.h"

/* Adds both files to what the directory commits next; `base` is the model's path or
 * name. One change of q | k | v becomes three with the same A. PEFT knows one rank: a
 * lower one is filled up with zeros. */
void peft_save(const Adapters *adapters, const Gpt2 *model, const char *base,
               Directory *directory);

/* The change in such a directory, of a model with gradients, not merged. Changes of q,
 * k and v that do not share their A become one of a higher rank. Ends the program where
 * a file is damaged, asks for what this is not, or does not fit the model. */
Adapters peft_load(const Gpt2 *model, const char *directory);

/* Ends the program if there is no change in the directory: better before the work. */
void peft_expect(const char *directory);

/* Does the directory hold such a change, or a file of one? */
bool peft_is_there(const char *directory);

/* Ends the program now if peft_save could not write there later. */
void peft_expect_writable(const Directory *directory);

#endif
