/* A number first, in every state of the walk: inside of a piece none begins. */
#include "18-llama/split_digits.h"

#include "base/unicode.h"

bool split_digits(WordWalk *walk, const char **word, size_t *n) {
    size_t left = walk->n - walk->at;
    const char *here = walk->readable + walk->at;
    if (left == 0) return false;
    int number = number_length(here, left);
    if (number) {
        *word = walk->text + walk->at;
        *n = (size_t)number;
        walk->end = walk->at = walk->at + (size_t)number;
        return true;
    }
    if (walk->end <= walk->at) {
        size_t piece = 0;
        do {
            piece += (size_t)utf8_length(here + piece, left - piece);
        } while (piece < left && number_length(here + piece, left - piece) == 0);
        walk->end = walk->at + piece;
    }
    words_match(walk, word, n);
    return true;
}
