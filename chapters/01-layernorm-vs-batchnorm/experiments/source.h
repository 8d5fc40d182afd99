/* The source of the experiments' samples: eight features, each normal with a mean and a
 * deviation of its own. */
#ifndef CHAPTER_01_SOURCE_H
#define CHAPTER_01_SOURCE_H

#include "math/random.h"

enum { FEATURES = 8 };

typedef struct {
    double mean[FEATURES], deviation[FEATURES];
} Source;

/* Means from N(0, 3^2), deviations uniform in [0.5, 2.5). */
Source source_create(uint64_t seed);

/* Fills x [n, FEATURES]. */
void source_draw(const Source *source, float *x, size_t n, Random *random);

#endif
