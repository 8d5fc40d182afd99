/* The first step of Adam, as the branches of a stack feel it. */
#ifndef CHAPTER_02_FIRST_STEP_H
#define CHAPTER_02_FIRST_STEP_H

#include "02-pre-ln-vs-post-ln/experiments/activation.h"

/* The hidden units and the second weights of all layers before the step. */
typedef struct {
    const ActivatedMlp *mlps; /* [depth] */
    size_t inputs;            /* rows of `hidden` */
    float **hidden, **down; /* [depth], each [inputs, d_hidden], [d_hidden, d_model] */
    double branch;          /* the root of the branches' mean square */
} BeforeStep;

/* Means over the layers of a post-LN stack, but for `size`. */
typedef struct {
    double cosine; /* of the hidden units of two inputs */
    /* The change of a branch is h dW, with h the hidden units before the step and dW
     * the change of the second weight: the share of its mean square that is the square
     * of its mean over the inputs. */
    double common;
    double same_way; /* of the weights that lead to one output, the share that moved in
                        the direction of the most */
    double size; /* its root mean square over the branches', for all layers together */
} FirstStep;

/* Of the 64 inputs of trained_stream.h; before_step_free releases it. */
BeforeStep before_step(const Stack *s, const ActivatedMlp *mlps);
FirstStep first_step(const Stack *s, const BeforeStep *before);
void before_step_free(BeforeStep *before, size_t depth);

#endif
