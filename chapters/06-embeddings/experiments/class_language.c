/* A language of classes: see class_language.h. */
#include "06-embeddings/experiments/class_language.h"

#include "math/fmath.h"

ClassLanguage class_language_create(uint64_t seed) {
    enum { STREAM_LANGUAGE = 9 };
    ClassLanguage l = {0};
    Random r = random_stream(seed, STREAM_LANGUAGE);
    for (size_t c = 0; c < CLASSES; c++) {
        for (double share = 8; share >= 1; share /= 2)
            l.follows[c][random_below(&r, CLASSES)] += share / 15;
    }
    double sum = 0;
    for (size_t i = 0; i < CLASS_WORDS; i++) sum += l.ranks[i] = 1 / (double)(i + 1);
    for (size_t i = 0; i < CLASS_WORDS; i++) l.ranks[i] /= sum;
    return l;
}

static size_t draw(const double *p, size_t n, Random *r) {
    double u = random_double(r);
    size_t i = 0;
    while (i + 1 < n && u >= p[i]) u -= p[i++];
    return i;
}

void class_language_pairs(int *words, int *next, size_t n, const ClassLanguage *l,
                          Random *r) {
    size_t class = random_below(r, CLASSES),
           word = class + CLASSES * draw(l->ranks, CLASS_WORDS, r);
    for (size_t i = 0; i < n; i++) {
        words[i] = (int)word;
        class = draw(l->follows[class], CLASSES, r);
        word = class + CLASSES * draw(l->ranks, CLASS_WORDS, r);
        next[i] = (int)word;
    }
}

static double entropy(const double *p, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum -= p[i] > 0 ? p[i] * log_double(p[i]) : 0;
    return sum;
}

double class_language_floor(const ClassLanguage *l) {
    enum { ROUNDS = 1000 };
    double share[CLASSES], floor = entropy(l->ranks, CLASS_WORDS);
    for (size_t c = 0; c < CLASSES; c++) share[c] = 1.0 / CLASSES;
    /* half a step at a time, so that no cycle swings on */
    for (size_t round = 0; round < ROUNDS; round++) {
        double after[CLASSES];
        for (size_t c = 0; c < CLASSES; c++) {
            after[c] = share[c] / 2;
            for (size_t before = 0; before < CLASSES; before++)
                after[c] += share[before] * l->follows[before][c] / 2;
        }
        for (size_t c = 0; c < CLASSES; c++) share[c] = after[c];
    }
    for (size_t c = 0; c < CLASSES; c++)
        floor += share[c] * entropy(l->follows[c], CLASSES);
    return floor;
}
