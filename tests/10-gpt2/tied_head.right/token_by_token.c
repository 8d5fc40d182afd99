/* The products of common/kernels/matmul.h for one row at a time. */
#include "10-gpt2/tied_head.h"

#include "kernels/matmul.h"

void tied_head_forward(float *logits, const float *hidden, const float *wte,
                       size_t rows, size_t n_vocab, size_t dim) {
    for (size_t r = 0; r < rows; r++)
        matmul_a_bt(logits + r * n_vocab, hidden + r * dim, wte, 1, n_vocab, dim,
                    false);
}

void tied_head_backward(float *dhidden, float *dwte, const float *dlogits,
                        const float *hidden, const float *wte, size_t rows,
                        size_t n_vocab, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        if (dhidden)
            matmul(dhidden + r * dim, dlogits + r * n_vocab, wte, 1, dim, n_vocab,
                   true);
        if (dwte)
            matmul_at_b(dwte, dlogits + r * n_vocab, hidden + r * dim, n_vocab, dim, 1,
                        true);
    }
}
