/* A model in numbers: its config, its parameters by part, the memory it takes. */
#ifndef CHAPTER_10_INFO_H
#define CHAPTER_10_INFO_H

#include "10-gpt2/gpt2.h"

enum { GPT2_PARTS = 5 }; /* a head of its own is no part of GPT-2 */

/* "wte" (tokens), "wpe" (positions), "attention", "FFN", "norms". */
extern const char *const gpt2_part_names[GPT2_PARTS];

/* Parameters of each part; returns how many there are: their sum, and those of a head
 * of its own. */
size_t gpt2_count_parts(const Gpt2 *model, size_t counts[GPT2_PARTS]);

void gpt2_print_info(const Gpt2 *model);

#endif
