/* The row is divided by its diagonal element, in double; pointers go along what lies
 * behind j. */
#include "14-compression/gptq_step.h"

void gptq_step(float *w, size_t j, float rounded, const float *u, size_t cols) {
    double error = (double)w[j] - (double)rounded, diagonal = (double)u[j];
    const float *end = w + cols;
    w += j;
    u += j;
    *w++ = rounded;
    u++;
    for (; w < end; w++, u++)
        *w = (float)((double)*w - error * ((double)*u / diagonal));
}
