/* The places where a hidden unit fires most: what its key looks for. */
#ifndef CHAPTER_04_STRONGEST_H
#define CHAPTER_04_STRONGEST_H

#include <stddef.h>

enum { STRONGEST = 3 };

/* {0} has met no place. An activation of 0 or less is none. */
typedef struct {
    float activation[STRONGEST]; /* the largest first */
    size_t place[STRONGEST];
} Strongest;

/* One more place; of equal activations the earlier place counts as larger. */
void strongest_note(Strongest *s, float activation, size_t place);

#endif
