/* A GPT-2 of which nothing is to be seen but its logits: what this chapter's open
 * problems ask questions
 * of. */
#ifndef CHAPTER_10_BLACK_BOX_H
#define CHAPTER_10_BLACK_BOX_H

#include <stddef.h>
#include <stdint.h>

enum { BOX_VOCAB = 128, BOX_CONTEXT = 32 };

typedef struct BlackBox BlackBox;

/* Logits [batch, length, BOX_VOCAB] of tokens [batch, length], each below BOX_VOCAB;
 * batch * length is at most BOX_CONTEXT. Ends the program when it is asked more often
 * than the judge allows. */
void black_box_ask(BlackBox *box, const int *tokens, size_t batch, size_t length,
                   float *logits);

/* The box's possible faults. */
typedef enum {
    HEALTHY,
    NO_MASK,      /* attention looks at what comes later */
    NO_POSITIONS, /* every token stands at position 0 */
    NO_ATTENTION, /* attention's output does not reach the stream */
    DROPOUT_ON,   /* as in training */
    LEAKING_ROWS, /* the rows of a batch are read as one text, one behind the other */
    ILLNESSES
} Illness;

/* For the judges: two blocks with weights of the seed, large enough that every part is
 * felt. */
BlackBox *black_box_create(size_t d_model, Illness illness, uint64_t seed,
                           size_t most_questions);
void black_box_free(BlackBox *box);

#endif
