/* How the tokenizers of SmolLM2, Qwen and Llama 3 cut a text into words. All but the
 * first match GPT-2's idea of a word in one pattern: contractions in any case, a sign
 * may lead a word as a blank may, and line feeds stay together. They differ in numbers:
 *
 *     SmolLM2   1|2|3|4|5     split_digits, then GPT-2's pattern
 *     Qwen      1|2|3|4|5     \p{N}
 *     Llama 3   123|45        \p{N}{1,3}, from the left */
#ifndef CHAPTER_18_LLAMA_WORDS_H
#define CHAPTER_18_LLAMA_WORDS_H

#include "09-tokenizer/pretokenize.h"

extern const WordRule smollm_words, qwen2_words, llama3_words;

#endif
