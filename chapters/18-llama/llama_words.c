/* How later tokenizers cut: see llama_words.h. */
#include "18-llama/llama_words.h"

#include "18-llama/split_digits.h"

//> rules
#define AROUND_NUMBERS(numbers)                                                        \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" numbers              \
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

const WordRule smollm_words = {
    .name = "smollm",
    .pattern = GPT2_PATTERN,
    .next = split_digits,
};
const WordRule qwen2_words = {
    .name = "qwen2",
    .pattern = AROUND_NUMBERS("\\p{N}"),
};
const WordRule llama3_words = {
    .name = "llama-bpe",
    .pattern = AROUND_NUMBERS("\\p{N}{1,3}"),
};
//< rules
