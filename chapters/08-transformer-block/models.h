/* Models from the literature as configs, to count and compare. */
#ifndef CHAPTER_08_MODELS_H
#define CHAPTER_08_MODELS_H

#include "08-transformer-block/count_parameters.h"

enum { N_KNOWN_MODELS = 11 };

typedef struct {
    ModelShape shape;
    /* the number of parameters of the checkpoint that was released */
    uint64_t published;
} KnownModel;

extern const KnownModel known_models[N_KNOWN_MODELS];

/* The formula that is often written: n_vocab d + n_layer (4 d^2 + 2 d d_ff + 2 d). No
 * biases, one vector a norm, no positions, no final norm, two matrices in every FFN,
 * and a tied head. */
uint64_t count_parameters_roughly(const ModelShape *shape);

#endif
