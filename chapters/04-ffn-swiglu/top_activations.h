/* The places where a hidden unit fires most, which show what its key looks for. */
#ifndef CHAPTER_04_TOP_ACTIVATIONS_H
#define CHAPTER_04_TOP_ACTIVATIONS_H

#include <stddef.h>

enum { TOP_ACTIVATIONS = 3 };

/* {0} has met no place. An activation of 0 or less is none. */
typedef struct {
    float activation[TOP_ACTIVATIONS]; /* the largest first */
    size_t place[TOP_ACTIVATIONS];
} TopActivations;

/* One more place; of equal activations the earlier place counts as larger. */
void top_activations_add(TopActivations *s, float activation, size_t place);

#endif
