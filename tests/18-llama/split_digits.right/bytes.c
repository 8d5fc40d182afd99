/* The next number is looked for byte by byte: no number begins inside of a character,
 * whose later bytes begin none. */
#include "18-llama/split_digits.h"

static bool is_number(const WordWalk *walk, size_t at) {
    return number_length(walk->readable + at, walk->n - at) > 0;
}

bool split_digits(WordWalk *walk, const char **word, size_t *n) {
    const size_t start = walk->at;
    if (start >= walk->n) return false;
    if (start < walk->end) {
        words_match(walk, word, n);
        return true;
    }
    if (!is_number(walk, start)) {
        for (walk->end = start + 1; walk->end < walk->n; walk->end++)
            if (is_number(walk, walk->end)) break;
        return split_digits(walk, word, n);
    }
    int length = number_length(walk->readable + start, walk->n - start);
    *word = &walk->text[start];
    *n = (size_t)length;
    walk->at = walk->end = start + *n;
    return true;
}
