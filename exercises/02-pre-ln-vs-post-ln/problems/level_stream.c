/* Open problem 02/level_stream. The rules are in
 * chapters/02-pre-ln-vs-post-ln/problems/level_stream.h. */
#include "02-pre-ln-vs-post-ln/problems/level_stream.h"

#include "program/problem.h"

void level_stream(Stack *s) {
    PROBLEM_TODO("02/level_stream");
}
