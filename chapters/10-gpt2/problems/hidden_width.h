/* Open problem 10/hidden_width (**): the width of a GPT-2, from nothing but its
 * logits */
#ifndef CHAPTER_10_HIDDEN_WIDTH_H
#define CHAPTER_10_HIDDEN_WIDTH_H

#include "10-gpt2/problems/black_box.h"

enum { WIDTH_QUESTIONS = 8 };

/* The d_model of the box, an even number from 8 to 64. It may be asked WIDTH_QUESTIONS
 * times. */
size_t hidden_width(BlackBox *box);

#endif
