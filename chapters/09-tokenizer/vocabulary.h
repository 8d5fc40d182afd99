/* GPT-2's letters for bytes: in vocab.json and merges.txt every byte is written as one
 * printable character.
 *
 * Bytes that are printable in Latin-1 stand for themselves; the others, in order, are
 * U+0100, U+0101 ... So a blank is U+0120 and a line feed U+010A, and both files are
 * plain text whose columns a blank can separate. */
#ifndef CHAPTER_09_VOCABULARY_H
#define CHAPTER_09_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include "09-tokenizer/tokenizer.h"

/* The character that stands for the byte. */
int byte_letter(int byte);

/* The byte with that number in the order of the table: the printable ones first.
 * GPT-2's ids 0 to 255. */
int byte_in_order(int number);

/* Builds a tokenizer from a file that has its tokens in these letters: all tokens in
 * the order of their ids, vocabulary_end_tokens, then merges "left right" in the order
 * of their ranks. A mistake ends the program with the file and, of merges, the place:
 * "line" 3.
 *
 * Vocabularies published after GPT-2's are `loose`: bytes that no text has may be
 * missing, a merge may use what only later merges make, and the end of the text may
 * have another name or none. */
enum { VOCABULARY_LETTERS = 512 };
typedef struct {
    Tokenizer *tokenizer;
    const char *path;
    int byte_of[VOCABULARY_LETTERS]; /* the byte that each letter stands for, or -1 */
    char *bytes;                     /* room for the token at hand */
    size_t capacity;
    bool *made; /* tokens that a merge may use: bytes, results of merges */
    bool loose;
} Vocabulary;

Vocabulary vocabulary_begin(const char *path);
void vocabulary_add_token(Vocabulary *v, const char *letters, size_t n);
/* The next token, spelled as it is, and a special one. */
void vocabulary_add_special(Vocabulary *v, const char *text, size_t n, bool control);
void vocabulary_end_tokens(Vocabulary *v, const char *merges_path);
void vocabulary_add_merge(Vocabulary *v, const char *place, size_t number,
                          const char *text, size_t n);
Tokenizer *vocabulary_end(Vocabulary *v, const WordRule *rule);

/* The vocab.json and merges.txt of a directory, for another rule than GPT-2's. */
Tokenizer *vocabulary_load(const char *directory, const WordRule *rule);

/* A token in letters, not terminated: out has room for twice its bytes. Returns how
 * many were written. */
size_t vocabulary_letters(char *out, const Tokenizer *t, int id);

#endif
