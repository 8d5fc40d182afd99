/* Open problem 11/stop_anywhere (**): a run at one rate that may stop at any step */
#ifndef CHAPTER_11_STOP_ANYWHERE_H
#define CHAPTER_11_STOP_ANYWHERE_H

#include <stddef.h>

/* Called behind each step, counted from 1, with the weights [n] as the step left them.
 * `kept` [n] holds zeros before the first step; it takes the place of the weights where
 * the run stops, which is not known in advance. The training itself goes on from
 * `weights`. */
void keep_weights(float *kept, const float *weights, size_t n, size_t step);

#endif
