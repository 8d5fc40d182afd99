/* Tests of exercise 10/tied_head. */
#include "10-gpt2/tied_head.h"

#include "check.h"

enum { ROWS = 3, VOCAB = 5, DIM = 4 };

/* See known.h. dlogits may be NULL. */
static void know_pass(const float *dlogits, const float *hidden, const float *wte, size_t rows,
                      size_t n_vocab, size_t dim) {
    AXES({"row", "rows", rows}, {"token", "n_vocab", n_vocab}, {"column", "dim", dim});
    KNOW(hidden, "row column");
    KNOW(wte, "token column");
    KNOW(dlogits, "row token");
    know_shape("logits", "row token");
    know_shape("dhidden", "row column");
    know_shape("dwte", "token column");
}

Test(tied_head, forward, .timeout = 10) {
    float *hidden = normal_floats(ROWS * DIM, 1, 1), *wte = normal_floats(VOCAB * DIM, 1, 2),
          *logits = nan_floats(ROWS * VOCAB);
    double expected[ROWS * VOCAB] = {0};
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t v = 0; v < VOCAB; v++) {
            for (size_t i = 0; i < DIM; i++)
                expected[r * VOCAB + v] += (double)hidden[r * DIM + i] * (double)wte[v * DIM + i];
        }
    }
    tied_head_forward(logits, hidden, wte, ROWS, VOCAB, DIM);
    know_pass(NULL, hidden, wte, ROWS, VOCAB, DIM);
    CHECK_CLOSE("logits", logits, expected, ROWS * VOCAB, 1e-5);
}

/* A square case: with the table taken the wrong way round the shapes fit, the numbers do not. */
Test(tied_head, forward_square, .timeout = 10) {
    float *hidden = normal_floats(4 * 4, 1, 3), *wte = normal_floats(4 * 4, 1, 4),
          *logits = nan_floats(4 * 4);
    double right[16] = {0}, transposed[16] = {0};
    for (size_t r = 0; r < 4; r++) {
        for (size_t v = 0; v < 4; v++) {
            for (size_t i = 0; i < 4; i++) {
                right[r * 4 + v] += (double)hidden[r * 4 + i] * (double)wte[v * 4 + i];
                transposed[r * 4 + v] += (double)hidden[r * 4 + i] * (double)wte[i * 4 + v];
            }
        }
    }
    tied_head_forward(logits, hidden, wte, 4, 4, 4);
    know_pass(NULL, hidden, wte, 4, 4, 4);
    CHECK_CLOSE("logits", logits, right, 16, 1e-5,
                {"wte is not transposed: hidden wte instead of hidden wte^T", transposed});
}

static void expected_gradients(const float *dlogits, const float *hidden, const float *wte, double *dhidden,
                               double *dwte) {
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t v = 0; v < VOCAB; v++) {
            double d = (double)dlogits[r * VOCAB + v];
            for (size_t i = 0; i < DIM; i++) {
                dhidden[r * DIM + i] += d * (double)wte[v * DIM + i];
                dwte[v * DIM + i] += d * (double)hidden[r * DIM + i];
            }
        }
    }
}

Test(tied_head, backward, .timeout = 10) {
    float *dlogits = normal_floats(ROWS * VOCAB, 1, 5), *hidden = normal_floats(ROWS * DIM, 1, 6);
    float *wte = normal_floats(VOCAB * DIM, 1, 7), *dhidden = ones_and_a_half(ROWS * DIM),
          *dwte = ones_and_a_half(VOCAB * DIM);
    double right_dhidden[ROWS * DIM] = {0}, right_dwte[VOCAB * DIM] = {0}, other_way[ROWS * DIM] = {0},
                                transposed[VOCAB * DIM];
    expected_gradients(dlogits, hidden, wte, right_dhidden, right_dwte);
    for (size_t v = 0; v < VOCAB; v++) {
        for (size_t i = 0; i < DIM; i++) {
            transposed[i * VOCAB + v] = right_dwte[v * DIM + i];
            for (size_t r = 0; r < ROWS; r++)
                other_way[r * DIM + i] += (double)dlogits[r * VOCAB + v] * (double)wte[i * VOCAB + v];
        }
    }
    tied_head_backward(dhidden, dwte, dlogits, hidden, wte, ROWS, VOCAB, DIM);
    know_pass(dlogits, hidden, wte, ROWS, VOCAB, DIM);
    CHECK_ADDED("dhidden", dhidden, right_dhidden, ROWS * DIM, 1e-5,
                {"wte is read as [dim, n_vocab]: dlogits wte^T instead of dlogits wte", other_way});
    CHECK_ADDED("dwte", dwte, right_dwte, VOCAB * DIM, 1e-5,
                {"it is transposed: hidden^T dlogits instead of dlogits^T hidden", transposed});
}

Test(tied_head, backward_of_one_alone, .timeout = 10) {
    float *dlogits = normal_floats(ROWS * VOCAB, 1, 5), *hidden = normal_floats(ROWS * DIM, 1, 6);
    float *wte = normal_floats(VOCAB * DIM, 1, 7), *dhidden = ones_and_a_half(ROWS * DIM),
          *dwte = ones_and_a_half(VOCAB * DIM);
    double right_dhidden[ROWS * DIM] = {0}, right_dwte[VOCAB * DIM] = {0};
    expected_gradients(dlogits, hidden, wte, right_dhidden, right_dwte);
    crash_means("dhidden or dwte is written to though it is NULL");
    tied_head_backward(dhidden, NULL, dlogits, hidden, wte, ROWS, VOCAB, DIM);
    tied_head_backward(NULL, dwte, dlogits, hidden, wte, ROWS, VOCAB, DIM);
    know_pass(dlogits, hidden, wte, ROWS, VOCAB, DIM);
    CHECK_ADDED("dhidden", dhidden, right_dhidden, ROWS * DIM, 1e-5);
    CHECK_ADDED("dwte", dwte, right_dwte, VOCAB * DIM, 1e-5);
}
