/* A model of the class language: it reads one word and scores the next. */
#ifndef CHAPTER_06_CLASS_MODEL_H
#define CHAPTER_06_CLASS_MODEL_H

#include "00-tensors/linear.h"
#include "06-embeddings/experiments/class_language.h"
#include "tensor/tape.h"

enum { CLASS_HIDDEN = 64, CLASS_BATCH = 128 };

typedef struct {
    Params params;
    Tensor *wte, *out; /* [LANGUAGE_WORDS, dim]; the same one when tied */
    Linear up, down;
} ClassModel;

ClassModel class_model_create(bool tied, size_t dim, uint64_t seed);

/* [n, LANGUAGE_WORDS] */
Tensor *class_model_logits(Tape *t, const ClassModel *m, const int *words, size_t n);

/* Called before each step, counted from 0, and after the last. */
typedef void ClassStep(void *context, const ClassModel *m, size_t step);

/* AdamW without decay, on CLASS_BATCH pairs of neighbours a step. */
void class_model_train(ClassModel *m, const ClassLanguage *language, float rate,
                       size_t steps, uint64_t seed, ClassStep *on_step, void *context);

#endif
