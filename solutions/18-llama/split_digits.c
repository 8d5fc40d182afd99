/* SmolLM2's pre-tokenizer. Before you read on: make hint-18 EX=split_digits */
#include "18-llama/split_digits.h"

#include "base/unicode.h"

static size_t next_number(const WordWalk *walk) {
    size_t at = walk->at;
    while (at < walk->n && !number_length(walk->readable + at, walk->n - at))
        at += (size_t)utf8_length(walk->readable + at, walk->n - at);
    return at;
}

bool split_digits(WordWalk *walk, const char **word, size_t *n) {
    if (walk->at == walk->n) return false;
    if (walk->at == walk->end) {
        size_t left = walk->n - walk->at;
        int digit = number_length(walk->readable + walk->at, left);
        if (digit > 0) {
            *word = walk->text + walk->at;
            *n = (size_t)digit;
            walk->at += *n;
            walk->end = walk->at;
            return true;
        }
        walk->end = next_number(walk);
    }
    words_match(walk, word, n);
    return true;
}
