/* Open problem 09/capitals. The rules are in
 * chapters/09-tokenizer/problems/capitals.h. */
#include "09-tokenizer/problems/capitals.h"

#include <string.h>

#include "program/problem.h"

size_t fold_capitals(char *out, const char *bytes, size_t n) {
    PROBLEM_TODO("09/capitals");
    memcpy(out, bytes, n);
    return n;
}

size_t unfold_capitals(char *out, const char *folded, size_t n_folded) {
    memcpy(out, folded, n_folded);
    return n_folded;
}
