/* GPT-2s with one mistake each: in the config, in the loaded weights, or in what the
 * model reads. */
#ifndef CHAPTER_10_WRONG_MODELS_H
#define CHAPTER_10_WRONG_MODELS_H

#include "10-gpt2/gpt2.h"

typedef struct {
    const char *name;
    /* each of the three may be NULL: nothing is wrong there */
    void (*config)(Gpt2Config *config);
    void (*weights)(Gpt2 *model);
    void (*positions)(int *positions, size_t n);
} Mistake;

enum { N_MISTAKES = 15 };
/* mistakes[0] is none at all. */
extern const Mistake mistakes[N_MISTAKES];

/* The model with this mistake: made from the changed config, with the right weights as
 * far as they fit. The caller frees it. */
Gpt2 *wrong_model(const Gpt2 *right, const Mistake *mistake);

/* The positions [batch, length] that it is given, in new memory. */
int *wrong_positions(const Mistake *mistake, size_t batch, size_t length);

#endif
