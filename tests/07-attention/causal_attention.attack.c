/* An attack on 07/causal_attention: all stages by their formulas in double, with and
 * without mask and dropout, three heads, no two sizes alike; then scores that exp
 * cannot take, and hidden ones that are no numbers. */
#include "07-attention/causal_attention.h"

#include <math.h>

#include "05-residual-blocks/dropout.h"
#include "check/check.h"

enum { H = 3, T = 5, D = 4, N = H * T * D, SQUARE = H * T * T };

typedef struct {
    double weights[SQUARE], out[N], dq[N], dk[N], dv[N];
} Right;

typedef struct {
    const float *q, *k, *v, *dout; /* [H, T, D] */
    const float *kept;             /* the dropout's factor of each weight */
} Given;

/* One query: row t of head h. */
static void add_row(Right *right, size_t h, size_t t, bool causal, const Given *g) {
    const float *q = g->q, *k = g->k, *v = g->v, *dout = g->dout, *kept = g->kept;
    size_t n = causal ? t + 1 : T, row = (h * T + t) * D;
    double *w = right->weights + (h * T + t) * T, dw[T] = {0}, sum = 0, mean = 0;
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < D; i++)
            w[s] += (double)q[row + i] * (double)k[(h * T + s) * D + i] / sqrt(D);
        sum += w[s] = exp(w[s]);
    }
    for (size_t s = 0; s < n; s++) {
        double factor = (double)kept[(h * T + t) * T + s];
        w[s] /= sum;
        for (size_t i = 0; i < D; i++) {
            size_t at = (h * T + s) * D + i;
            right->out[row + i] += factor * w[s] * (double)v[at];
            right->dv[at] += factor * w[s] * (double)dout[row + i];
            dw[s] += factor * (double)v[at] * (double)dout[row + i];
        }
        mean += w[s] * dw[s];
    }
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < D; i++) {
            double ds = w[s] * (dw[s] - mean) / sqrt(D);
            right->dq[row + i] += ds * (double)k[(h * T + s) * D + i];
            right->dk[(h * T + s) * D + i] += ds * (double)q[row + i];
        }
    }
}

static void check_attention(bool causal, float dropout) {
    Random random = random_create(1);
    AttentionShape shape = {.n_heads = H,
                            .length = T,
                            .head_dim = D,
                            .causal = causal,
                            .dropout = dropout,
                            .random = &random};
    float *q = normal_floats(N, 1, 1), *k = normal_floats(N, 1, 2),
          *v = normal_floats(N, 1, 3);
    float *dout = normal_floats(N, 1, 4), ones[SQUARE], kept[SQUARE];
    float *dq = ones_and_a_half(N), *dk = ones_and_a_half(N), *dv = ones_and_a_half(N);
    float *out = nan_floats(N), *weights = nan_floats(SQUARE),
          *scratch = nan_floats(SQUARE);
    Right right = {0};
    for (size_t i = 0; i < SQUARE; i++) ones[i] = 1;
    dropout_forward(kept, ones, SQUARE, dropout, &random);
    for (size_t i = 0; i < N; i++) right.dq[i] = right.dk[i] = right.dv[i] = 1.5;
    Given given = {.q = q, .k = k, .v = v, .dout = dout, .kept = kept};
    for (size_t i = 0; i < H * T; i++) add_row(&right, i / T, i % T, causal, &given);
    attention_forward(out, weights, scratch, q, k, v, &shape);
    CHECK_CLOSE("weights", weights, right.weights, SQUARE, 1e-5);
    CHECK_CLOSE("out", out, right.out, N, 1e-5);
    attention_backward(dq, dk, dv, scratch, dout, weights, q, k, v, &shape);
    CHECK_CLOSE("dq", dq, right.dq, N, 1e-5);
    CHECK_CLOSE("dk", dk, right.dk, N, 1e-5);
    CHECK_CLOSE("dv", dv, right.dv, N, 1e-5);
    attention_backward(NULL, NULL, NULL, scratch, dout, weights, q, k, v, &shape);
}

Test(attack, forward_and_backward) {
    check_attention(true, 0);
    check_attention(false, 0);
    check_attention(true, 0.4f);
}

Test(attack, stages) {
    AttentionShape shape = {.n_heads = 1, .length = 2, .head_dim = 1, .causal = true};
    float scores[4] = {7, 7, 7, 7}, q[2] = {1, 2}, k[2] = {3, 4},
          weights[4] = {1000, NAN, 500, 501};
    attention_scores(scores, q, k, &shape);
    CHECK(scores[0] == 3 && scores[2] == 6 && scores[3] == 8,
          "scores are %g, -, %g, %g; expected 3, -, 6, 8", (double)scores[0],
          (double)scores[2], (double)scores[3]);
    CHECK(attention_visible(&shape, 0) == 1 && attention_visible(&shape, 1) == 2,
          "row t sees t + 1");
    attention_softmax(weights, &shape);
    double right[4] = {1, 0, 1 / (1 + exp(1)), 1 / (1 + exp(-1))};
    CHECK_CLOSE("weights", weights, right, 4, 1e-5);
    shape.causal = false;
    CHECK(attention_visible(&shape, 0) == 2, "without a mask row 0 sees 2");
}
