/* Answers and the rest: see answers.h. */
#include "11-training/answers.h"

#include <math.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"

typedef struct {
    const Tokenizer *tokenizer;
    bool answers; /* which part counts */
} Part;

static bool holds(const Tokenizer *tokenizer, int token, char byte) {
    size_t bytes;
    const char *text = tokenizer_token(tokenizer, token, &bytes);
    return memchr(text, byte, bytes) != NULL;
}

static void keep_part(void *context, const int *inputs, int *targets, size_t length) {
    const Part *part = context;
    bool in_answer = false;
    for (size_t i = 0; i < length && targets[i] != IGNORE_TARGET; i++) {
        if (holds(part->tokenizer, inputs[i], '?')) in_answer = true;
        if (holds(part->tokenizer, targets[i], '\n')) in_answer = false;
        if (in_answer != part->answers) targets[i] = IGNORE_TARGET;
    }
}

AnswerLoss answer_loss(Trainer *t, const Tokenizer *tokenizer) {
    size_t n_answers, n_others;
    AnswerLoss a;
    a.answers = trainer_part_loss(t, keep_part, &(Part){tokenizer, true}, &n_answers);
    a.others = trainer_part_loss(t, keep_part, &(Part){tokenizer, false}, &n_others);
    size_t n = t->data->validation.n - 1;
    a.others_floor = t->data->floor * (double)n / (double)n_others;
    a.share = n_answers + n_others == n ? (double)n_answers / (double)n : NAN;
    return a;
}

double answers_above_floor(const AnswerLoss *a) {
    return a->share * a->answers;
}

double others_above_floor(const AnswerLoss *a) {
    return (1 - a->share) * (a->others - a->others_floor);
}
