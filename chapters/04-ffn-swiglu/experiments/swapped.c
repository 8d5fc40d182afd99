/* A model trained with the exact GELU, and judged with another form of it. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/elementwise.h"
#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "04-ffn-swiglu/experiments/language.h"
#include "04-ffn-swiglu/silu.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { D_FF = 192, STEPS = 1000, QUICK_STEPS = 100, SEEDS = 3 };
enum { SILU = APPROXIMATIONS, RELU, FORMS };

/* An FFN that has another activation than the one it was trained with. */
typedef struct {
    const Ffn *ffn;
    Activation activation; /* forward only */
} Swapped;

static Tensor *swapped(Tape *t, const void *self, Tensor *x) {
    const Swapped *s = self;
    return linear(t, &s->ffn->down,
                  activate(t, &s->activation, linear(t, &s->ffn->up, x)));
}

static Activation form(size_t f) {
    if (f == SILU) return (Activation){.name = "silu", .forward = silu_forward};
    if (f == RELU) return (Activation){.name = "relu", .forward = relu_forward};
    return (Activation){.name = approximations[f].column,
                        .forward = approximations[f].forward};
}

static double loss_with(Model *m, const Language *l, size_t f) {
    Swapped swaps[DEPTH];
    for (size_t i = 0; i < DEPTH; i++) {
        swaps[i] = (Swapped){&m->ffns[i], form(f)};
        m->residuals[i].sublayer = (Layer){swapped, &swaps[i]};
    }
    double loss = model_loss(m, l);
    for (size_t i = 0; i < DEPTH; i++)
        m->residuals[i].sublayer = ffn_layer(&m->ffns[i]);
    return loss;
}

void experiment_swapped(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS,
           steps = settings->quick ? QUICK_STEPS : STEPS;
    double exact[SEEDS], rise[SEEDS][FORMS], mean[FORMS] = {0};
    Language l = language_create();
#pragma omp parallel for schedule(dynamic)
    for (size_t s = 0; s < seeds; s++) {
        ModelConfig config = {.kind = FFN_GELU_ERF,
                              .d_ff = D_FF,
                              .rate = 0.003f,
                              .steps = steps,
                              .seed = settings->seed + s};
        Model m;
        model_train(&m, &l, &config, NULL, NULL);
        exact[s] = model_loss(&m, &l);
        for (size_t f = 0; f < FORMS; f++) rise[s][f] = loss_with(&m, &l, f) - exact[s];
        model_free(&m);
    }
    language_free(&l);

    Csv csv = csv_begin(settings->out, "swapped", "form,seed,exact,rise");
    printf("loss with the exact GELU, which all were trained with: %.3f\n",
           mean_of_last(exact, seeds, seeds));
    for (size_t f = 0; f < FORMS; f++) {
        for (size_t s = 0; s < seeds; s++) {
            csv_row(&csv, "%s,%zu,%.6g,%.3g", form(f).name, (size_t)settings->seed + s,
                    exact[s], rise[s][f]);
            mean[f] += rise[s][f] / (double)seeds;
        }
        printf("  with %-50s %+.6f\n",
               f < APPROXIMATIONS ? approximations[f].name : form(f).name, mean[f]);
    }
    csv_commit(&csv);
    double close = 0, least = INFINITY, times = INFINITY;
    for (size_t s = 0; s < seeds; s++) {
        close = larger(close, larger(fabs(rise[s][TANH]), fabs(rise[s][TABLE])));
        least = smaller(least, rise[s][MIXED_UP]);
        times = smaller(times, rise[s][MIXED_UP] / fabs(rise[s][SIGMOID]));
    }
    claim(close < 1e-3,
          "tanh form and table: they move the loss by %.6f at most (below 0.001)",
          close);
    claim(least > 5e-3 && times > 5,
          "1.702 in the tanh: %.4f or more (above 0.005), %.0f times x sigmoid(1.702 "
          "x) or more (above 5)",
          least, times);
}
