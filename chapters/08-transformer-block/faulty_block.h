/* A block that may be wired wrongly, and what its gradients say: exercise 08/repair
 * repairs it. */
#ifndef CHAPTER_08_FAULTY_BLOCK_H
#define CHAPTER_08_FAULTY_BLOCK_H

#include "08-transformer-block/block.h"

//> faults
/* Right is h = x + A(ln_1(x)), y = h + F(ln_2(h)), with A attention and F the FFN. */
typedef enum {
    WIRED_RIGHT,
    NO_FIRST_SUM,  /* h = A(ln_1(x)) */
    NO_SECOND_SUM, /* y = F(ln_2(h)) */
    PARALLEL,      /* y = h + F(ln_2(x)) */
    FFN_FIRST,     /* h = x + F(ln_2(x)), y = h + A(ln_1(h)) */
    ONE_NORM,      /* ln_1 in both places */
    CUT_OFF, /* attention's output is a copy that the tape knows nothing of: y is right
                all the same */
    N_FAULTS
} Fault;
//< faults

/* Norms of gradients of the loss sum(dy * y), where dy is random: of two gains, of the
 * weight and the bias of the two matrices that write to the stream; and two numbers
 * about the stream itself. */
typedef struct {
    double out;     /* of the sum of dy over all positions */
    double through; /* how much of dy is in dx: dx . dy / dy . dy */
    /* ln_1.weight, attn.c_proj.weight, attn.c_proj.bias */
    double ln_1, attn, attn_bias;
    double ln_2, mlp, mlp_bias; /* ln_2.weight, mlp.c_proj.weight, mlp.c_proj.bias */
} BlockGradients;

typedef struct {
    Params params;
    Block block;
    bool wrong[N_FAULTS];
    uint64_t seed;
} FaultyBlock;

/* A pre-LN block with weights from `seed` and the `n` faults, of which one may be
 * ONE_NORM beside another. It holds pointers into itself; faulty_block_free releases
 * it. */
FaultyBlock *faulty_block_create(uint64_t seed, const Fault *faults, size_t n);
void faulty_block_free(FaultyBlock *b);

/* x [B, T, C] -> [B, T, C], by the wires as they are. */
Tensor *faulty_block_forward(Tape *t, const FaultyBlock *b, Tensor *x);

/* One forward and one backward pass, on inputs and dy from the block's seed. */
BlockGradients faulty_block_gradients(FaultyBlock *b);

/* Turns one wire round: right if it was wrong, wrong if it was right. */
void faulty_block_rewire(FaultyBlock *b, Fault fault);

/* "no first sum" */
const char *fault_name(Fault fault);

#endif
