/* Open problem 09/own_vocabulary. The rules are in
 * chapters/09-tokenizer/problems/own_vocabulary.h. */
#include "09-tokenizer/problems/own_vocabulary.h"

#include "program/problem.h"

void own_vocabulary(Token tokens[OWN_TOKENS], const char *text, size_t n,
                    const Word *words, size_t n_words) {
    PROBLEM_TODO("09/own_vocabulary");
    bpe_tokens(tokens, OWN_TOKENS, text, n);
}
