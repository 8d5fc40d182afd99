/* Open problem 08/few_numbers. The rules are in
 * chapters/08-transformer-block/problems/few_numbers.h. */
#include "08-transformer-block/problems/few_numbers.h"

#include "program/problem.h"

void few_numbers(SmallModelConfig *config, float *rate) {
    PROBLEM_TODO("08/few_numbers");
}
