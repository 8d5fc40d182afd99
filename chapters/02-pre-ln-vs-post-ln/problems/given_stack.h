/* The rules of this chapter's open problems: what the learner's function must leave of a stack as it was. */
#ifndef CHAPTER_02_GIVEN_STACK_H
#define CHAPTER_02_GIVEN_STACK_H

#include "02-pre-ln-vs-post-ln/stack.h"

enum { PROBLEM_DEPTH = 24 };

/* A stack of PROBLEM_DEPTH layers, as stack_create made it. */
typedef struct {
    Stack stack;
    Residual residuals[PROBLEM_DEPTH];
    size_t n_params;
} GivenStack;

GivenStack given_stack(const Params *params, const Stack *s);

/* Ends the program where config, placement, norms, sublayers or head are others than given, or where there are more than
 * `more_percent` more parameters. */
void expect_given(const GivenStack *given, const Params *params, const Stack *s, size_t more_percent);

#endif
