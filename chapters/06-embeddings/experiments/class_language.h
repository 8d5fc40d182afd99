/* A language of many words, whose entropy is known: words of one class are followed by
 * the same classes. */
#ifndef CHAPTER_06_CLASS_LANGUAGE_H
#define CHAPTER_06_CLASS_LANGUAGE_H

#include "math/random.h"

enum { CLASSES = 32, CLASS_WORDS = 32, LANGUAGE_WORDS = CLASSES * CLASS_WORDS };

typedef struct {
    double follows[CLASSES][CLASSES]; /* follows[a][b]: a word of class a is followed by
                                         one of class b */
    double ranks[CLASS_WORDS]; /* of its words, the one of rank r: proportional to 1 /
                                  (r + 1) */
} ClassLanguage;

/* Each class is followed by up to four others, drawn by seed. */
ClassLanguage class_language_create(uint64_t seed);

/* n neighbours of an endless text: words[i] is followed by next[i]. Word w is of class
 * w % CLASSES. */
void class_language_pairs(int *words, int *next, size_t n, const ClassLanguage *l,
                          Random *r);

/* The lowest loss of a model that sees only the last word: the entropy of the next one,
 * in nats. */
double class_language_floor(const ClassLanguage *l);

#endif
