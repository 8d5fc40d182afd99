/* Second moments of the inputs of a model's matrices: the mean of x x^T, for codecs
 * that weigh errors by their effect on the outputs. */
#ifndef CHAPTER_14_CALIBRATION_H
#define CHAPTER_14_CALIBRATION_H

#include "10-gpt2/gpt2.h"

typedef struct {
    size_t n;
    float **moments; /* [n] of each parameter: [in, in]; NULL where no inputs are
                        multiplied */
} Calibration;

/* Runs the model over tokens [n] in windows of its context, at least one token, and
 * watches the inputs of every linear layer and of the head, to which the mean of their
 * squares is added on the diagonal: the table is also read row by row. The model is as
 * before afterwards. */
Calibration calibrate(Gpt2 *model, const int *tokens, size_t n);
void calibration_free(Calibration *c);

#endif
