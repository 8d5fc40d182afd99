/* Optimizers over a whole list of parameters: SGD, and AdamW around the exercise's
 * kernel. */
#ifndef CHAPTER_00_OPTIMIZER_H
#define CHAPTER_00_OPTIMIZER_H

#include "00-tensors/adamw.h"
#include "weights/params.h"

/* param -= learning_rate * grad */
void sgd_step(Params *params, float learning_rate);

typedef struct {
    AdamWSettings settings;
    size_t step; /* steps done */
    size_t n;    /* numbers in m and in v: all parameters one after the other */
    float *m, *v;
} AdamW;

/* Moments of zero for all parameters of the list. beta1 0.9, beta2 0.999, eps 1e-8, as
 * PyTorch. */
AdamW adamw_create(const Params *params, float learning_rate, float weight_decay);

/* adamw_update, which threads share out where there is much. */
void adamw_update_parts(float *param, float *m, float *v, const float *grad, size_t n,
                        const AdamWSettings *settings, size_t step);

/* One step with the gradients in `params`.
 * Parameters with fewer than two axes (gains, biases) are not decayed. */
void adamw_step(AdamW *optimizer, Params *params);

void adamw_free(AdamW *optimizer);

#endif
