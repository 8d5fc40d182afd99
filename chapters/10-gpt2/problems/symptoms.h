/* Open problem 10/symptoms (*): what is wrong with a GPT-2, from ten questions */
#ifndef CHAPTER_10_SYMPTOMS_H
#define CHAPTER_10_SYMPTOMS_H

#include "10-gpt2/problems/black_box.h"

/* Returns the box's fault. It may be asked ten times; each time its weights are the
 * same, which you do not know. */
Illness symptoms(BlackBox *box);

#endif
