/* The rules of open problems about stacks: the parts of a stack that the learner's
 * function must leave as they were. */
#ifndef CHAPTER_02_GIVEN_STACK_H
#define CHAPTER_02_GIVEN_STACK_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* A stack as stack_create made it. */
typedef struct {
    Stack stack;
    Residual *residuals; /* [depth] copies */
    size_t n_params;
} GivenStack;

GivenStack given_stack(const Params *params, const Stack *s);

/* Ends the program where config, placement, norms, sublayers or head are others than
 * given, where there are more than `more_percent` more parameters, or, without
 * `own_joins`, where joins are others. */
void expect_given(const GivenStack *given, const Params *params, const Stack *s,
                  size_t more_percent, bool own_joins);

void given_stack_free(GivenStack *given);

/* Ends the program where a layer of the trained stack does nothing: a deep stack that
 * is a shallow one. Its branch must change the stream of random inputs. */
void expect_all_layers_used(const Stack *s);

#endif
