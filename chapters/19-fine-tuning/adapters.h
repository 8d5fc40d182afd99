/* LoRA for a whole model: a low-rank change of matrices in its blocks, which is trained
 * in the place of the matrix. Neither the layers nor the tape know of it: what is
 * changed is written into the parameter, and its gradient is taken from there. */
#ifndef CHAPTER_19_ADAPTERS_H
#define CHAPTER_19_ADAPTERS_H

#include "10-gpt2/gpt2.h"
#include "19-fine-tuning/lora.h"

typedef struct {
    const Param *param; /* the model's, */
    Tensor *w;          /* and what it is: [n_in, n_out] */
    float *w0;          /* what it was at the start */
    Tensor *a, *b;
    LoraShape shape;
} Adapter;

typedef struct {
    Params params; /* every a and b, with their gradients: what is trained */
    size_t n;
    Adapter *items;
} Adapters;

/* None yet, of a model with gradients, with room for all of its matrices. */
Adapters adapters_begin(const Gpt2 *model);

/* One more, of that parameter, with a and b all 0. */
Adapter *adapters_add(Adapters *adapters, const Param *param, size_t rank, float scale);

/* Is it a matrix of a block? The tables of tokens and positions are none. */
bool adapters_can_change(const Gpt2 *model, const Param *param);

typedef struct {
    size_t rank;
    float scale;
    const char *matrices; /* parts of names, by commas: "attn,c_fc"; NULL: all */
} AdapterSettings;

/* Of every matrix of the blocks that the settings name. a is drawn evenly from
 * -1/sqrt(n_in) to 1/sqrt(n_in), b is 0: at first nothing is changed, to the bit. Ends
 * the program where a matrix has not as many rows and columns as the rank, and where a
 * part is of no matrix's name. */
Adapters adapters_create(const Gpt2 *model, const AdapterSettings *settings,
                         Random *init);

/* Gives every a and b its gradient, from that of its matrix. */
void adapters_backward(Adapters *adapters);

/* Writes every changed matrix into the model. */
void adapters_merge(const Adapters *adapters);

/* The model keeps what was merged last. */
void adapters_free(Adapters *adapters);

#endif
