/* Open problem 02/deep_post_ln. The rules are in
 * chapters/02-pre-ln-vs-post-ln/problems/deep_post_ln.h. */
#include "02-pre-ln-vs-post-ln/problems/deep_post_ln.h"

#include "program/problem.h"

void deep_post_ln(Params *params, Stack *s) {
    PROBLEM_TODO("02/deep_post_ln");
}
