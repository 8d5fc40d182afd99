/* In loops; every product hidden[r][i] * wte[v][i] is met once in each direction. */
#include "10-gpt2/tied_head.h"

void tied_head_forward(float *logits, const float *hidden, const float *wte,
                       size_t rows, size_t n_vocab, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < n_vocab; v++) {
            double sum = 0;
            for (size_t i = 0; i < dim; i++)
                sum += (double)hidden[r * dim + i] * (double)wte[v * dim + i];
            logits[r * n_vocab + v] = (float)sum;
        }
    }
}

void tied_head_backward(float *dhidden, float *dwte, const float *dlogits,
                        const float *hidden, const float *wte, size_t rows,
                        size_t n_vocab, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < n_vocab; v++) {
            for (size_t i = 0; i < dim; i++) {
                if (dhidden)
                    dhidden[r * dim + i] += dlogits[r * n_vocab + v] * wte[v * dim + i];
                if (dwte)
                    dwte[v * dim + i] += dlogits[r * n_vocab + v] * hidden[r * dim + i];
            }
        }
    }
}
