/* A finding of a test, as data: the array that is compared, how much of it is wrong,
 * the worst number, and the diagnosis.
 *
 * check.c prints each as a line of key=value, and as a sentence; the verdict reads the
 * line, weighs it against what other tests found, and writes the sentence again. The
 * kind of a diagnosis says how far it can be trusted:
 *
 *     fact        the numbers are those that this mistake gives
 *     suspects    several mistakes give them, or other tests speak against it
 *     numbers     no listed mistake fits; this is what the numbers have in common
 *     located     no more than where the wrong numbers are */
#ifndef TESTS_FINDING_H
#define TESTS_FINDING_H

#include "verdict/text.h"

enum { MOST_SUSPECTS = 16 };

typedef struct {
    const char *words; /* in the place of the numbers: a test's own, or how it ended */
    const char *what;  /* NULL: nothing is compared */
    size_t wrong, of;
    const char *at; /* the worst place, and its numbers */
    const char *got, *expected, *allowed;
    const char *after; /* what the test says behind the numbers */
    const char *numbers, *located, *fact;
    /* the fact stands behind a colon, after words that say the rest */
    bool is_sentence;
    const char *suspects[MOST_SUSPECTS];
    size_t n_suspects;
} Finding;

/* A number in as few digits as tell it from the other, at least 7. */
const char *number_beside(Pool *pool, double x, double other);

/* "wrong: what=out<TAB>wrong=2<TAB>...", and back; text is what stands behind "wrong:
 * ". */
void finding_write(Text *to, const Finding *finding);
Finding finding_read(Pool *pool, const char *text);

/* Adds the finding as one sentence. */
void finding_sentence(Text *to, const Finding *finding);

/* A test's own words, or how it ended: what stands behind "this is what you get when"
 * or "perhaps" is taken as a fact, or as suspects. */
Finding finding_in_words(Pool *pool, const char *text);

/* The fact is no more than suspected. */
void finding_doubt(Finding *finding);

/* Whether all that it has is one number of a digit or two, which many mistakes give;
 * or that, or one word in tokens. */
bool finding_is_plain_number(const Finding *finding);
bool finding_says_little(const Finding *finding);

#endif
