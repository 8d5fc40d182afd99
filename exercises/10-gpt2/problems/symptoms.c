/* Open problem 10/symptoms. The rules are in chapters/10-gpt2/problems/symptoms.h and
 * black_box.h. */
#include "10-gpt2/problems/symptoms.h"

#include "program/problem.h"

Illness symptoms(BlackBox *box) {
    PROBLEM_TODO("10/symptoms");
    return HEALTHY;
}
