/* Open problem 09/own_vocabulary (***): 64 tokens that compress a text better than
 * BPE's 64 */
#ifndef CHAPTER_09_OWN_VOCABULARY_H
#define CHAPTER_09_OWN_VOCABULARY_H

#include <stddef.h>

enum { OWN_TOKENS = 64, TOKEN_BYTES = 32 };

typedef struct {
    char bytes[TOKEN_BYTES];
    size_t n;
} Token;

/* A distinct word of the text, as the pretokenizer cuts it, and how often it occurs. */
typedef struct {
    const char *bytes;
    size_t n, times;
} Word;

/* Chooses the tokens that there are besides the 256 bytes, from the text [n] and its
 * words. */
void own_vocabulary(Token tokens[OWN_TOKENS], const char *text, size_t n,
                    const Word *words, size_t n_words);

/* The fewest tokens that spell a word, out of `tokens` and the bytes, as the judge
 * counts it. Words of more than 99 bytes are cut. */
size_t fewest_tokens(const Token *tokens, size_t n_tokens, const Word *word);

/* The first n_tokens that byte-pair encoding learns from the text; fewer if there are
 * not so many. Returns how many. */
size_t bpe_tokens(Token *tokens, size_t n_tokens, const char *text, size_t n);

#endif
