/* The steps of the backward pass, as the lesson derives them, against central
 * differences of the forward pass. */
#include <math.h>
#include <stdio.h>

#include "07-attention/causal_attention.h"
#include "07-attention/experiments/experiments.h"
#include "07-attention/online_attention.h"
#include "07-attention/single_head.h"
#include "program/claim.h"
#include "math/fit.h"
#include "tensor/gradcheck.h"
#include "math/random.h"

enum { T = 7, D = 4, N = T * D, SEEDS = 3 };

/* The loss that is differenced: sum of dout * softmax(q k^T / sqrt(d)) v. x holds q, k
 * and v, one after the other. */
typedef struct {
    bool causal;
    const float *dout;
} Loss;

static double loss_of(const double *x, size_t n, void *context) {
    const Loss *l = context;
    const double *q = x, *k = x + N, *v = x + 2 * N;
    double loss = 0;
    for (size_t t = 0; t < T; t++) {
        double weight[T], sum = 0;
        size_t seen = l->causal ? t + 1 : T;
        for (size_t s = 0; s < seen; s++) {
            double score = 0;
            for (size_t i = 0; i < D; i++) score += q[t * D + i] * k[s * D + i];
            sum += weight[s] = exp(score / sqrt(D));
        }
        for (size_t s = 0; s < seen; s++) {
            for (size_t i = 0; i < D; i++)
                loss += weight[s] / sum * v[s * D + i] * (double)l->dout[t * D + i];
        }
    }
    return n == 3 * N ? loss : NAN;
}

/* Runs one of the ways forward and backward: d [3 N] becomes dq, dk, dv. */
static void single_head(float *d, const float *x, const float *dout) {
    float out[N], weights[T * T], dweights[T * T], dscores[T * T];
    single_head_forward(out, weights, x, x + N, x + 2 * N, T, D);
    HeadGradients gradients = {
        .q = d, .k = d + N, .v = d + 2 * N, .weights = dweights, .scores = dscores};
    single_head_backward(&gradients, dout, weights, x, x + N, x + 2 * N, T, D);
}

static const AttentionShape shape = {
    .n_heads = 1, .length = T, .head_dim = D, .causal = true};

static void plain(float *d, const float *x, const float *dout) {
    float out[N], weights[T * T], scratch[T * T];
    attention_forward(out, weights, scratch, x, x + N, x + 2 * N, &shape);
    attention_backward(d, d + N, d + 2 * N, scratch, dout, weights, x, x + N, x + 2 * N,
                       &shape);
}

static void online(float *d, const float *x, const float *dout) {
    float out[N], logsumexp[T];
    online_attention_forward(out, logsumexp, x, x + N, x + 2 * N, &shape);
    online_attention_backward((AttentionGradients){d, d + N, d + 2 * N}, dout, out,
                              logsumexp, x, x + N, x + 2 * N, &shape);
}

void experiment_gradient(const Settings *settings) {
    static const struct {
        const char *name;
        bool causal;
        void (*run)(float *d, const float *x, const float *dout);
    } ways[] = {{"one head, no mask", false, single_head},
                {"causal", true, plain},
                {"causal, online", true, online}};
    double worst = 0;
    printf("  largest difference from central differences, as a share of the largest "
           "number\n");
    printf("  %-18s %4s  %8s %8s %8s\n", "", "seed", "dq", "dk", "dv");
    for (size_t i = 0; i < SEEDS * sizeof ways / sizeof *ways; i++) {
        size_t way = i / SEEDS, seed = i % SEEDS;
        Random random = random_stream(settings->seed + seed, 1);
        float x[3 * N], dout[N], d[3 * N] = {0};
        double x64[3 * N], expected[3 * N];
        random_fill_normal(&random, x, 3 * N, 1);
        random_fill_normal(&random, dout, N, 1);
        for (size_t j = 0; j < 3 * N; j++) x64[j] = (double)x[j];
        numeric_gradient(expected, loss_of, x64, 3 * N, 1e-5,
                         &(Loss){ways[way].causal, dout});
        ways[way].run(d, x, dout);
        printf("  %-18s %4zu ", ways[way].name, seed + 1);
        for (size_t part = 0; part < 3; part++) {
            double off = relative_difference(d + part * N, expected + part * N, N);
            worst = larger(worst, off);
            printf("  %7.0e", off);
        }
        printf("\n");
    }
    claim(worst < 1e-5,
          "dq, dk and dv are those of the differences within %.0e (allowed 1e-05)",
          worst);
}
