/* Is a model directory what was saved? Loading believes the numbers and the vocabulary;
 * this does not. */
#ifndef CHAPTER_10_VERIFY_H
#define CHAPTER_10_VERIFY_H

#include <stdio.h>

#include "10-gpt2/gpt2.h"

/* Checks the loaded model (PARAMS_MAPPED) of the directory: all weights are finite;
 * where the files were written here, their checksums fit, and config.json and the
 * vocabulary are those that the weights were saved with. A checkpoint of a training
 * beside them is checked too. A line for each goes to `report`, or ends the program at
 * the first that does not fit. */
void gpt2_verify(const Gpt2 *model, const char *directory, FILE *report);

#endif
