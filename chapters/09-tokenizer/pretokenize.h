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

Pretokenizer *pretokenizer_create(void);
void pretokenizer_free(Pretokenizer *p);

/* A walk over the words of a text. The text must stay as long as the walk. */
typedef struct {
    const Pretokenizer *pretokenizer;
    const char *text;
    char *readable; /* the text with 0x01 for each byte that is not UTF-8 */
    size_t n, at;
    void *match;
} WordWalk;

WordWalk words_begin(const Pretokenizer *p, const char *text, size_t n);

/* The next word; false at the end. The words together are the text. */
bool words_next(WordWalk *walk, const char **word, size_t *n);

void words_end(WordWalk *walk);

#endif
