/* A text by GPT-2 124M, timed: what the experiments of decoding share. */
#ifndef CHAPTER_15_TIMED_WRITING_H
#define CHAPTER_15_TIMED_WRITING_H

#include <stdint.h>

#include "program/program.h"

/* A storage type of the weights, and a file of it. */
typedef struct {
    const char *name, *path;
} Form;
enum { F32, Q8_0, Q4_0, FORMS };
extern const Form forms[FORMS];

/* Random weights: times do not depend on them. */
void make_form_files(const Settings *settings);

/* The weights as the file has them; laid out; and multiplied in whole numbers. */
typedef enum { AS_FILED, LAID_OUT, IN_INTEGERS } Reading;

/* Seconds: until the first token, for one, for laying out. Bytes: in memory, and that a
 * token reads. */
typedef struct {
    double first, token, prepare, resident, bytes;
    uint32_t last; /* bits of a logit */
} Timed;

/* Loads the file, reads a prompt and writes: the quickest token counts. */
Timed time_writing(const char *path, size_t threads, Reading how);

/* Seconds of a prompt of 512 tokens, or of as many as the model takes: the quickest of
 * several. */
double time_prompt(const char *path, size_t threads, Reading how);

#endif
