/* Open problem 14/even_out. The rules are in
 * chapters/14-compression/problems/even_out.h. */
#include "14-compression/problems/even_out.h"

#include "program/problem.h"

void turn_row(float x[EVEN_OUT_DIM]) {
    PROBLEM_TODO("14/even_out");
    (void)x;
}

void turn_row_back(float x[EVEN_OUT_DIM]) {
    (void)x;
}
