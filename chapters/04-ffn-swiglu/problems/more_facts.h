/* Open problem 04/more_facts (**): an activation with which twelve units hold facts
 * that ReLU does not */
#ifndef CHAPTER_04_MORE_FACTS_H
#define CHAPTER_04_MORE_FACTS_H

/* One number in, one out, and the derivative there: the judge compares them. Nothing is
 * remembered. */
float own_activation(float x);
float own_slope(float x);

#endif
