/* Open problem 10/hidden_width. The rules are in
 * chapters/10-gpt2/problems/hidden_width.h and black_box.h. */
#include "10-gpt2/problems/hidden_width.h"

#include "program/problem.h"

size_t hidden_width(BlackBox *box) {
    PROBLEM_TODO("10/hidden_width");
    return BOX_VOCAB / 2;
}
