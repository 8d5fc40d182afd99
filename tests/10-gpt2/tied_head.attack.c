/* An attack on 10/tied_head: all three products by their formulas, with sizes that
 * differ and with square matrices; one gradient alone. */
#include "10-gpt2/tied_head.h"

#include "check/check.h"

static void check_sizes(size_t rows, size_t n_vocab, size_t dim) {
    float *hidden = normal_floats(rows * dim, 1, 1),
          *wte = normal_floats(n_vocab * dim, 1, 2);
    float *dlogits = normal_floats(rows * n_vocab, 1, 3),
          *logits = nan_floats(rows * n_vocab);
    float *dhidden = ones_and_a_half(rows * dim),
          *dwte = ones_and_a_half(n_vocab * dim);
    double *right_dhidden = as_double(dhidden, rows * dim),
           *right_dwte = as_double(dwte, n_vocab * dim);
    double *right = as_double(logits, rows * n_vocab);
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < n_vocab; v++) {
            double d = (double)dlogits[r * n_vocab + v], sum = 0;
            for (size_t i = 0; i < dim; i++) {
                sum += (double)hidden[r * dim + i] * (double)wte[v * dim + i];
                right_dhidden[r * dim + i] += d * (double)wte[v * dim + i];
                right_dwte[v * dim + i] += d * (double)hidden[r * dim + i];
            }
            right[r * n_vocab + v] = sum;
        }
    }
    tied_head_forward(logits, hidden, wte, rows, n_vocab, dim);
    CHECK_CLOSE("logits", logits, right, rows * n_vocab, 1e-5);
    tied_head_backward(dhidden, NULL, dlogits, hidden, wte, rows, n_vocab, dim);
    CHECK_CLOSE("dhidden", dhidden, right_dhidden, rows * dim, 1e-5);
    tied_head_backward(NULL, dwte, dlogits, hidden, wte, rows, n_vocab, dim);
    CHECK_CLOSE("dwte", dwte, right_dwte, n_vocab * dim, 1e-5);
}

Test(attack, products) {
    check_sizes(5, 5, 5);
    check_sizes(3, 40, 7);
}
