/* Where the distance to the floor is: in the answers of the stories, or in the rest of
 * the text. */
#ifndef CHAPTER_11_ANSWERS_H
#define CHAPTER_11_ANSWERS_H

#include "11-training/train.h"

/* The tokens of an answer are those between a question mark and the end of the line:
 * "In the drawer." The story determines them, so their floor is 0, and the rest of the
 * text has all of the entropy. Losses and floors are means over the tokens of their
 * part, in nats. */
typedef struct {
    double answers, others, others_floor;
    double share; /* of the tokens that are an answer's */
} AnswerLoss;

/* Over the whole validation text of the built-in language, whose stories must fit the
 * window (else part of them is not measured, and `share` is NaN). */
AnswerLoss answer_loss(Trainer *t, const Tokenizer *tokenizer);

/* How much of the loss above the floor each part contributes: the two add up to loss -
 * floor, in nats for each token of the whole text. */
double answers_above_floor(const AnswerLoss *a);
double others_above_floor(const AnswerLoss *a);

#endif
