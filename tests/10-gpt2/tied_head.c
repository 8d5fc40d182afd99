/* Tests of exercise 10/tied_head. */
#include "10-gpt2/tied_head.h"

#include "check/check.h"
#include "base/memory.h"

enum { ROWS = 3, VOCAB = 5, DIM = 4 };

/* See known.h. dlogits may be NULL. */
static void know_pass(const float *dlogits, const float *hidden, const float *wte,
                      size_t rows, size_t n_vocab, size_t dim) {
    AXES({"row", "rows", rows}, {"token", "n_vocab", n_vocab}, {"column", "dim", dim});
    KNOW(hidden, "row column");
    KNOW(wte, "token column");
    KNOW(dlogits, "row token");
    know_shape("logits", "row token");
    know_shape("dhidden", "row column");
    know_shape("dwte", "token column");
}

static void check_forward(size_t rows, size_t n_vocab, size_t dim) {
    float *hidden = normal_floats(rows * dim, 1, 1),
          *wte = normal_floats(n_vocab * dim, 1, 2),
          *logits = nan_floats(rows * n_vocab);
    double *expected = checked_alloc(rows * n_vocab, sizeof *expected);
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < n_vocab; v++) {
            for (size_t i = 0; i < dim; i++)
                expected[r * n_vocab + v] +=
                    (double)hidden[r * dim + i] * (double)wte[v * dim + i];
        }
    }
    tied_head_forward(logits, hidden, wte, rows, n_vocab, dim);
    know_pass(NULL, hidden, wte, rows, n_vocab, dim);
    CHECK_CLOSE("logits", logits, expected, rows * n_vocab, 1e-5);
}

Test(tied_head, forward, .timeout = 10) {
    check_forward(ROWS, VOCAB, DIM);
}

/* A square case: with the table taken the wrong way round the shapes fit, the numbers
 * do not. */
Test(tied_head, forward_square, .timeout = 10) {
    float *hidden = normal_floats(4 * 4, 1, 3), *wte = normal_floats(4 * 4, 1, 4),
          *logits = nan_floats(4 * 4);
    double right[16] = {0}, transposed[16] = {0};
    for (size_t r = 0; r < 4; r++) {
        for (size_t v = 0; v < 4; v++) {
            for (size_t i = 0; i < 4; i++) {
                right[r * 4 + v] += (double)hidden[r * 4 + i] * (double)wte[v * 4 + i];
                transposed[r * 4 + v] +=
                    (double)hidden[r * 4 + i] * (double)wte[i * 4 + v];
            }
        }
    }
    tied_head_forward(logits, hidden, wte, 4, 4, 4);
    know_pass(NULL, hidden, wte, 4, 4, 4);
    CHECK_CLOSE(
        "logits", logits, right, 16, 1e-5,
        {"wte is not transposed: hidden wte instead of hidden wte^T", transposed});
}

static void expected_gradients(const float *dlogits, const float *hidden,
                               const float *wte, double *dhidden, double *dwte,
                               size_t rows, size_t n_vocab, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < n_vocab; v++) {
            double d = (double)dlogits[r * n_vocab + v];
            for (size_t i = 0; i < dim; i++) {
                dhidden[r * dim + i] += d * (double)wte[v * dim + i];
                dwte[v * dim + i] += d * (double)hidden[r * dim + i];
            }
        }
    }
}

Test(tied_head, backward, .timeout = 10) {
    float *dlogits = normal_floats(ROWS * VOCAB, 1, 5),
          *hidden = normal_floats(ROWS * DIM, 1, 6);
    float *wte = normal_floats(VOCAB * DIM, 1, 7),
          *dhidden = ones_and_a_half(ROWS * DIM), *dwte = ones_and_a_half(VOCAB * DIM);
    double right_dhidden[ROWS * DIM] = {0}, right_dwte[VOCAB * DIM] = {0},
                                other_way[ROWS * DIM] = {0}, transposed[VOCAB * DIM];
    expected_gradients(dlogits, hidden, wte, right_dhidden, right_dwte, ROWS, VOCAB,
                       DIM);
    for (size_t v = 0; v < VOCAB; v++) {
        for (size_t i = 0; i < DIM; i++) {
            transposed[i * VOCAB + v] = right_dwte[v * DIM + i];
            for (size_t r = 0; r < ROWS; r++)
                other_way[r * DIM + i] +=
                    (double)dlogits[r * VOCAB + v] * (double)wte[i * VOCAB + v];
        }
    }
    tied_head_backward(dhidden, dwte, dlogits, hidden, wte, ROWS, VOCAB, DIM);
    know_pass(dlogits, hidden, wte, ROWS, VOCAB, DIM);
    CHECK_ADDED("dhidden", dhidden, right_dhidden, ROWS * DIM, 1e-5,
                {"wte is read as [dim, n_vocab]: dlogits wte^T instead of dlogits wte",
                 other_way});
    CHECK_ADDED(
        "dwte", dwte, right_dwte, VOCAB * DIM, 1e-5,
        {"it is transposed: hidden^T dlogits instead of dlogits^T hidden", transposed});
}

/* Each gradient is asked for alone. */
static void check_backward(size_t rows, size_t n_vocab, size_t dim) {
    float *dlogits = normal_floats(rows * n_vocab, 1, 5),
          *hidden = normal_floats(rows * dim, 1, 6);
    float *wte = normal_floats(n_vocab * dim, 1, 7),
          *dhidden = ones_and_a_half(rows * dim),
          *dwte = ones_and_a_half(n_vocab * dim);
    double *right_dhidden = checked_alloc(rows * dim, sizeof(double));
    double *right_dwte = checked_alloc(n_vocab * dim, sizeof(double));
    expected_gradients(dlogits, hidden, wte, right_dhidden, right_dwte, rows, n_vocab,
                       dim);
    crash_means("dhidden or dwte is written to though it is NULL");
    tied_head_backward(dhidden, NULL, dlogits, hidden, wte, rows, n_vocab, dim);
    tied_head_backward(NULL, dwte, dlogits, hidden, wte, rows, n_vocab, dim);
    know_pass(dlogits, hidden, wte, rows, n_vocab, dim);
    CHECK_ADDED("dhidden (dwte is NULL)", dhidden, right_dhidden, rows * dim, 1e-5);
    CHECK_ADDED("dwte (dhidden is NULL)", dwte, right_dwte, n_vocab * dim, 1e-5);
}

Test(tied_head, backward_of_one_alone, .timeout = 10) {
    check_backward(ROWS, VOCAB, DIM);
}

static void check_size(size_t rows, size_t n_vocab, size_t dim) {
    check_forward(rows, n_vocab, dim);
    check_backward(rows, n_vocab, dim);
}

/* Small ones that are no multiple of two, and the smallest. */
Test(tied_head, odd_sizes, .timeout = 10) {
    check_size(3, 5, 7);
    check_size(2, 2, 2);
    check_size(1, 1, 1);
}

/* Each of the three past any size that an array in the function could have. */
Test(tied_head, thousands, .timeout = 10) {
    check_size(5003, 3, 2);
    check_size(2, 5003, 3);
    check_size(3, 2, 5003);
}
