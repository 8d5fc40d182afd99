/* The tied output head. Before you read on: make hint-10 EX=tied_head */
#include "10-gpt2/tied_head.h"

#include "kernels/matmul.h"

void tied_head_forward(float *logits, const float *hidden, const float *wte,
                       size_t rows, size_t n_vocab, size_t dim) {
    //> logits
    matmul_a_bt(logits, hidden, wte, rows, n_vocab, dim, false);
    //< logits
}

void tied_head_backward(float *dhidden, float *dwte, const float *dlogits,
                        const float *hidden, const float *wte, size_t rows,
                        size_t n_vocab, size_t dim) {
    if (dhidden) matmul(dhidden, dlogits, wte, rows, dim, n_vocab, true);
    if (dwte) matmul_at_b(dwte, dlogits, hidden, n_vocab, dim, rows, true);
}
