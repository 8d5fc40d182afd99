/* The built-in language as words: each word, full stop, question mark and end of a
 * story is a token. */
#ifndef CHAPTER_08_WORDS_H
#define CHAPTER_08_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORDS_MOST = 256 };

typedef struct {
    char *text; /* what the words are parts of */
    struct Word {
        const char *at;
        size_t bytes;
    } words[WORDS_MOST];
    size_t n_words;
    int end;     /* of a story: the line feed */
    int *tokens; /* [n] the whole text */
    size_t n;
} Words;

/* Of so many bytes of the stories of this seed those in which someone puts something
 * somewhere and the question is where it is, in words of `like`, or in its own where
 * that is NULL. A word that is not in `like` ends the program. */
Words words_create(uint64_t seed, size_t bytes, const Words *like);
void words_free(Words *w);

/* The token as it stands in a text, with the blank in front of it where it has one;
 * returns how many bytes. */
size_t words_write(char *to, const Words *w, int token, bool first_of_story);

#endif
