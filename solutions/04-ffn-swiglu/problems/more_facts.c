/* A sine: a unit that answers again and again. Before you read on: make hint-04
 * P=more_facts */
#include "04-ffn-swiglu/problems/more_facts.h"

#include "math/fmath.h"

/* A ReLU cuts the inputs in two by one plane. A sine cuts them into slices, with a
 * slope in all of them, so that one unit has something to say about more facts: good
 * for learning by heart, and for nothing that lies between the facts. */
float own_activation(float x) {
    return (float)sin_double(2 * (double)x);
}

float own_slope(float x) {
    return (float)(2 * cos_double(2 * (double)x));
}
