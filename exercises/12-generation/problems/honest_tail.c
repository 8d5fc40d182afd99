/* Open problem 12/honest_tail. The rules are in
 * chapters/12-generation/problems/honest_tail.h. */
#include "12-generation/problems/honest_tail.h"

#include "program/problem.h"

/* Top-p with p = 0.9: the likeliest tokens until their sum is p. */
void honest_tail(unsigned char *keep, const double *probabilities, size_t n) {
    PROBLEM_TODO("12/honest_tail");
    for (double sum = 0; sum < 0.9;) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (!keep[i] && (best == n || probabilities[i] > probabilities[best]))
                best = i;
        }
        if (best == n) return;
        keep[best] = 1;
        sum += probabilities[best];
    }
}
