/* A published model under the questions that earlier chapters asked of small ones:
 * run-18 --experiment published-heads --model FILE. Without a file they are skipped:
 * the course has their CSV files, and not the model. */
#ifndef CHAPTER_18_PUBLISHED_H
#define CHAPTER_18_PUBLISHED_H

#include "10-gpt2/gpt2.h"
#include "program/program.h"

typedef struct {
    Gpt2 *model;
    int *tokens; /* [n] of prose.txt: sentences of this course's lessons */
    size_t n;
} Published;

/* false: there is no --model, and a line has said so. The text has `least` tokens or
 * more. */
bool published_begin(Published *p, size_t least);
void published_end(Published *p);

#endif
