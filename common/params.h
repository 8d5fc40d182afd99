/* Parameters by name: what a model learns.
 *
 * Every layer registers its weights here under Hugging Face's names ("h.0.attn.c_attn.weight"). One list then
 * serves the optimizer, gradient norms, checkpoints and parameter counts. */
#ifndef COMMON_PARAMS_H
#define COMMON_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor.h"

typedef enum {
    PARAMS_TRAIN,  /* data and gradients */
    PARAMS_INFER,  /* data, no gradients */
    PARAMS_MAPPED, /* neither: `data` will point into a mapped file */
} ParamsMode;

typedef struct {
    char *name;
    Tensor *tensor;
} Param;

typedef struct {
    ParamsMode mode;
    size_t n, capacity;
    Param *items;
} Params;

/* A new parameter, all zeros; the name is printf's. Ends the program when the name is taken. */
Tensor *params_add(Params *params, int ndim, const size_t *shape, const char *name, ...)
    __attribute__((format(printf, 4, 5)));

/* The parameter of that name, or NULL. */
Tensor *params_find(const Params *params, const char *name);

/* How many numbers are learned. */
size_t params_count(const Params *params);

void params_zero_grad(Params *params);

/* The L2 norm of one gradient, and of all of them together. */
double tensor_grad_norm(const Tensor *x);
double params_grad_norm(const Params *params);

void params_free(Params *params);

#endif
