/* The tokenizer: text to token ids and back, byte for byte as GPT-2 does it (Radford et
 * al. 2019, section 2.2).
 *
 * Its alphabet is the 256 bytes, so that every text has an encoding and there is no
 * unknown token. */
#ifndef CHAPTER_09_TOKENIZER_H
#define CHAPTER_09_TOKENIZER_H

#include "09-tokenizer/merges.h"
#include "09-tokenizer/pretokenize.h"
#include "09-tokenizer/string_table.h"
#include "files/checksum.h"
#include "checkpoints/directory.h"

/* The token that ends a document; its spelling is a text like any other unless it is
 * asked for. */
#define END_OF_TEXT "<|endoftext|>"

/* The smallest vocabulary: 256 bytes and the end of the text. */
enum { TOKENIZER_MIN_VOCAB = 257 };

enum { TOKENIZER_MOST_ENDS = 8 };

/* A token that is found in a text before that is cut into words, as END_OF_TEXT is. */
typedef struct {
    int id;
    bool control; /* it marks something, and is no text of its own */
} SpecialToken;

/* The first lines are GPT-2's; the others are the changes of later models (chapter 18),
 * 0 or NULL here, but for bos. */
typedef struct {
    StringTable tokens; /* the bytes of each id */
    int byte_token[256];
    int eot; /* -1 where none is known */
    MergeTable merges;
    Pretokenizer *pretokenizer;
    SpecialToken *special;
    size_t n_special;
    int bos; /* stands in front of every text; -1: nothing does */
    /* As files name them: the tokens that end a text, the first of them for formats
     * that know one alone; one that begins a text, though perhaps nothing puts it
     * there; and one that fills up. -1: none. */
    int ends[TOKENIZER_MOST_ENDS];
    size_t n_ends;
    int begin, pad;
    bool prefix_space;  /* a text that begins with another character gets a blank */
    bool ignore_merges; /* a word that is a token is not merged from its bytes */
    size_t n_padding;   /* ids behind the tokens that a model has rows for */
    /* Changes a text before it is cut: in new memory, or NULL where that changes
     * nothing. */
    char *(*normalize)(const char *text, size_t n, size_t *bytes);
    char *chat_template; /* the file's own, for conversations; or NULL */
} Tokenizer;

/* A tokenizer without tokens, to be filled. */
Tokenizer *tokenizer_empty(void);

/* A tokenizer with one token for each byte, its value, and END_OF_TEXT = 256. */
Tokenizer *tokenizer_bytes(void);

/* Reads directory/vocab.json and directory/merges.txt, in the format of GPT-2. */
Tokenizer *tokenizer_load(const char *directory);

/* Adds the same two files to the directory's next commit, for tokenizer_load and for
 * other GPT-2 tools. */
void tokenizer_save(const Tokenizer *t, Directory *directory);

/* Equal for vocabularies that encode and decode alike. */
void tokenizer_checksum(const Tokenizer *t, char text[CHECKSUM_TEXT]);

/* Learns a vocabulary of n_vocab tokens from a text, fewer when no pair is left that
 * occurs twice. The ids are GPT-2's: bytes 0 to 255 (in the order of byte_letter,
 * vocabulary.h), merges as they were learned, END_OF_TEXT last. END_OF_TEXT in the text
 * separates documents. */
Tokenizer *tokenizer_train(const char *text, size_t n, size_t n_vocab);

/* Makes the id a special token. */
void tokenizer_add_special(Tokenizer *t, int id, bool control);

/* Makes the id one that ends a text, behind those that do already. */
void tokenizer_add_end(Tokenizer *t, int id);

/* The one end that files name, and the beginning; where none is known, eot. */
int tokenizer_end(const Tokenizer *t);
int tokenizer_begin(const Tokenizer *t);

void tokenizer_free(Tokenizer *t);

size_t tokenizer_n_vocab(const Tokenizer *t);
int tokenizer_eot(const Tokenizer *t);

/* The ids of any n bytes, in new memory; *n_tokens is how many. With `special`, each
 * special token in the text (END_OF_TEXT is GPT-2's only one) becomes its one id;
 * otherwise those that are no text of their own are spelled out like any other text. */
int *tokenizer_encode(const Tokenizer *t, const char *bytes, size_t n, bool special,
                      size_t *n_tokens);

/* The place of the first special token in n bytes, its id and its length; n and the id
 * -1 where there is none. */
size_t tokenizer_find_special(const Tokenizer *t, const char *bytes, size_t n, int *id,
                              size_t *length);

/* The bytes of a token, not terminated; a text is the concatenation of its tokens. Ends
 * the program when there is no such id. */
const char *tokenizer_token(const Tokenizer *t, int id, size_t *bytes);

/* The text of n_tokens ids in new memory, with a NUL behind its *bytes bytes. */
char *tokenizer_decode(const Tokenizer *t, const int *ids, size_t n_tokens,
                       size_t *bytes);

#endif
