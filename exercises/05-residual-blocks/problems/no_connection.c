/* Open problem 05/no_connection. The rules are in
 * chapters/05-residual-blocks/problems/no_connection.h. */
#include "05-residual-blocks/problems/no_connection.h"

#include "program/problem.h"

void no_connection(Stack *s) {
    PROBLEM_TODO("05/no_connection");
}
