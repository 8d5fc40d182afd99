/* Cutting a text into words before byte-pair encoding, exactly as GPT-2 does. No merge
 * crosses a cut.
 *
 * OpenAI's pattern (encoder.py of the GPT-2 release), in words: a contraction ('s 't
 * 're 've 'm 'll 'd, lower case); or letters, or digits, or other signs, each with at
 * most one blank before them; or white space, which leaves its last character to the
 * word behind it. Letters and digits are Unicode's categories L and N, white space its
 * property White_Space. A byte that is not part of valid UTF-8 counts as an "other"
 * sign. */
#ifndef CHAPTER_09_PRETOKENIZE_H
#define CHAPTER_09_PRETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Pretokenizer Pretokenizer;
typedef struct WordWalk WordWalk;

/* How a family of tokenizers cuts. */
typedef struct {
    const char *name;    /* in GGUF files: tokenizer.ggml.pre */
    const char *pattern; /* of a word, as published; \s is Unicode's White_Space */
    /* Finds the next word where the pattern alone cannot; NULL where it can. */
    bool (*next)(WordWalk *walk, const char **word, size_t *n);
} WordRule;

//> pattern
/* OpenAI's pattern. */
#define GPT2_PATTERN                                                                   \
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+"                \
    "|\\s+(?!\\S)|\\s+"
//< pattern
extern const WordRule gpt2_words;

/* The version of Unicode whose letters and digits are known, PCRE2's: "14.0.0". Newer
 * letters count as signs. */
void pretokenizer_unicode(char version[24]);

Pretokenizer *pretokenizer_create(const WordRule *rule);
void pretokenizer_free(Pretokenizer *p);
const WordRule *pretokenizer_rule(const Pretokenizer *p);

/* A walk over the words of a text. The text must stay as long as the walk. */
struct WordWalk {
    const Pretokenizer *pretokenizer;
    const char *text;
    char *readable; /* the text with 0x01 for each byte that is not UTF-8 */
    size_t n, at;
    size_t end; /* the pattern sees the text up to here: n, or 0 at first where the
                   rule has a `next`, which cuts pieces */
    void *match;
};

WordWalk words_begin(const Pretokenizer *p, const char *text, size_t n);

/* The next word; false at the end. The words together are the text. */
bool words_next(WordWalk *walk, const char **word, size_t *n);

/* The word that the pattern matches at walk->at, which is less than walk->end, and the
 * walk behind it: for a rule's `next`. */
void words_match(WordWalk *walk, const char **word, size_t *n);

void words_end(WordWalk *walk);

#endif
