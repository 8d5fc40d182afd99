/* Tests of what the experiments' models are made of: sums over places with their
 * gradients, and means. */
#include "06-embeddings/experiments/operations.h"

#include "check/check.h"
#include "check/layer_gradient.h"
#include "weights/params.h"

enum { B = 2, I = 3, T = 4, C = 5 };

typedef struct {
    Tensor *weights, *x;
} Mix;

static Tensor *run_mix(Tape *t, void *context) {
    const Mix *m = context;
    return mix(t, m->weights, m->x);
}

static void plain_mix(double *out, const double *const *in, void *context) {
    const Mix *m = context;
    size_t own = m->weights->ndim == 3 ? I * T : 0; /* 0: all rows share the weights */
    for (size_t b = 0; b < B; b++) {
        for (size_t i = 0; i < I; i++) {
            for (size_t c = 0; c < C; c++) {
                double sum = 0;
                for (size_t j = 0; j < T; j++)
                    sum += in[0][b * own + i * T + j] * in[1][(b * T + j) * C + c];
                out[(b * I + i) * C + c] = sum;
            }
        }
    }
}

Test(operations, mix_gradients, .timeout = 10) {
    for (int ndim = 2; ndim <= 3; ndim++) {
        Params params = {.mode = PARAMS_TRAIN};
        Mix m = {params_add(&params, ndim,
                            ndim == 2 ? (size_t[]){I, T} : (size_t[]){B, I, T},
                            "weights"),
                 params_add(&params, 3, (size_t[]){B, T, C}, "x")};
        check_layer_gradient(
            &(LayerGradient){.layer = run_mix,
                             .plain = plain_mix,
                             .context = &m,
                             .of = {{"dweights", m.weights}, {"dx", m.x}}});
        params_free(&params);
    }
}

static Tensor *run_transpose(Tape *t, void *context) {
    return transpose(t, context);
}

static void plain_transpose(double *out, const double *const *in, void *context) {
    (void)context;
    for (size_t i = 0; i < I; i++) {
        for (size_t j = 0; j < T; j++) out[j * I + i] = in[0][i * T + j];
    }
}

Test(operations, transpose_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *x = params_add(&params, 2, (size_t[]){I, T}, "x");
    check_layer_gradient(&(LayerGradient){.layer = run_transpose,
                                          .plain = plain_transpose,
                                          .context = x,
                                          .of = {{"dx", x}}});
    params_free(&params);
}

Test(operations, means, .timeout = 10) {
    Tape t = tape_for_inference();
    CHECK_CLOSE("mean of places", mean_of_places(&t, 4)->data,
                ((const double[]){0.25, 0.25, 0.25, 0.25}), 4, 1e-7);
    CHECK_CLOSE("mean of words", mean_of_words(&t, (const size_t[]){2, 3}, 2, 3)->data,
                ((const double[]){0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3}), 6, 1e-6);
    CHECK_CLOSE("mean so far", mean_so_far(&t, 3)->data,
                ((const double[]){1, 0, 0, 0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3}), 9,
                1e-6);
    tape_free(&t);
}
