/* Min-p (Nguyen et al. 2024). Before you read on: make hint-12 P=honest_tail */
#include "12-generation/problems/honest_tail.h"

/* A token that can follow is about as likely as the likeliest one, within a factor; one
 * that the model makes up is not, however many of them there are. The sum says nothing
 * about that: after a single possible token top-p still looks for more. */
void honest_tail(unsigned char *keep, const double *probabilities, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = probabilities[i] > largest ? probabilities[i] : largest;
    for (size_t i = 0; i < n; i++) keep[i] = probabilities[i] >= 0.07 * largest;
}
