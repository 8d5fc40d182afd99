/* Open problem 01/one_pass (**): the variance in one pass and four floats, however far
 * from zero */
#ifndef CHAPTER_01_ONE_PASS_H
#define CHAPTER_01_ONE_PASS_H

#include <stddef.h>

/* The state after the numbers seen so far; {0} before the first. */
typedef struct {
    size_t count;
    float kept[4];
} OnePass;

/* Takes in one more number. Single precision only: no double, here or below. */
void one_pass_add(OnePass *s, float x);

/* The sum of squared distances from the mean, divided by the count. */
float one_pass_variance(const OnePass *s);

#endif
