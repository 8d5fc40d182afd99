/* Parameters by name: the numbers that a model learns.
 *
 * Layer: above tensors, beside the tape. Every layer registers its weights here under
 * Hugging Face's names
 * ("h.0.attn.c_attn.weight"). One list then serves the optimizer, gradient norms,
 * checkpoints and parameter counts. Call params_push and params_pop around the layers
 * of a part, params_add for each tensor, params_zero_grad in each step. Never free a
 * tensor's data or grad yourself, and keep no copy of a grad pointer while parameters
 * are still being added: all gradients lie in one block, which moves as it grows. */
#ifndef WEIGHTS_PARAMS_H
#define WEIGHTS_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/tensor.h"
#include "weights/weight.h"

typedef enum {
    PARAMS_TRAIN,  /* data and gradients */
    PARAMS_INFER,  /* data, no gradients */
    PARAMS_MAPPED, /* neither: params_take will say where the data are */
} ParamsMode;

typedef struct {
    char *name;
    Tensor *tensor;
    bool owned; /* the tensor's data are freed with the list, */
    void *kept; /* and so is this */
} Param;

typedef struct {
    ParamsMode mode;
    size_t n, capacity;
    Param *items;
    float *grads; /* [n_grads] the gradients of all parameters, in order; behind each up
                     to 16 zeros */
    size_t n_grads, grads_capacity;
    char *prefix;   /* what params_push has put together, "h.0.attn." */
    size_t *depths; /* [n_depths] the length of the prefix before each push */
    size_t n_depths;
} Params;

/* Parameters that are added until params_pop get "name." in front of their names. The
 * name is formatted as by printf; an empty one adds nothing. Pushes nest: a layer
 * pushes its own name, a block that of its layers. */
void params_push(Params *params, const char *name, ...)
    __attribute__((format(printf, 2, 3)));
void params_pop(Params *params);

/* A new parameter, all zeros, called `name` behind what was pushed.
 * Ends the program when the name is taken. */
Tensor *params_add(Params *params, int ndim, const size_t *shape, const char *name);

/* The numbers of a parameter that was added as PARAMS_MAPPED; the weight has its shape,
 * a vector is one row. The list's mode of now decides. PARAMS_MAPPED leaves them where
 * they are, floats as the tensor's data and a matrix in another form as its stored
 * weight; they must outlive the list. Where that cannot be (doubles, floats at an odd
 * address, vectors of other types), and in the other modes, they are copied as floats,
 * and memory that was kept for them is freed. */
void params_take(Params *params, Param *param, const Weight *weight);

/* New memory that is freed with the list, for numbers that lie as no file has them. */
void *params_keep(Param *param, size_t bytes);

/* A matrix is from now on stored in that form, which must outlive the list. */
void params_store(Param *param, const Weight *weight);

/* The same numbers in another form: memory kept for the old one is freed. */
void params_restore(Param *param, const Weight *weight);

/* The parameter of that name, or NULL. */
Tensor *params_find(const Params *params, const char *name);

/* How many numbers are learned, and the bytes that they take where they are stored. */
size_t params_count(const Params *params);
size_t params_bytes(const Params *params);

void params_zero_grad(Params *params);

/* The L2 norm of one gradient, and of all gradients together. */
double tensor_grad_norm(const Tensor *x);
double params_grad_norm(const Params *params);

void params_free(Params *params);

#endif
