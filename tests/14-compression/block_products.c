/* Tests of 14/block_products: the products of the exercises stand in for the quick
 * ones. */
#include "14-compression/block_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/coded_model.h"
#include "14-compression/q8_0.h"
#include "check/check.h"
#include "weights/weight_packed.h"

enum { IN = 64, ROWS = 3 };

/* A model of one layer whose matrices are coded, and its first matrix. */
static const Weight *coded_matrix_of(Coded *coded, const char *codec) {
    static const size_t n_vocab = 32, n_ctx = 8;
    Gpt2Config config = gpt2_config(n_vocab, n_ctx, 1, 2, IN);
    Random random = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &random);
    double value;
    *coded = coded_begin(model);
    code_model(coded, codec_find(codec, &value), 0, NULL, NULL);
    return params_find(&model->params, "h.0.attn.c_attn.weight")->stored;
}

/* x W + bias by the model's own types, and by these products; both [ROWS, 3 * IN]. */
static void both_products(float *quick, float *own, const char *codec, bool integer) {
    Coded coded;
    const Weight *w = coded_matrix_of(&coded, codec);
    float *x = normal_floats(ROWS * IN, 1, 2), *bias = normal_floats(3 * IN, 1, 3);
    weight_multiply(quick, x, w, bias, ROWS);
    use_block_products(coded.model, integer);
    weight_multiply(own, x, w, bias, ROWS);
    Gpt2 *model = coded.model;
    coded_undo(&coded);
    gpt2_free(model);
    free(x);
    free(bias);
}

static double distance(const float *a, const float *b, size_t n) {
    double off = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (double)a[i] - (double)b[i];
        off += d * d;
        all += (double)b[i] * (double)b[i];
    }
    return sqrt(off / all);
}

Test(block_products, with_floats_nothing_changes, .timeout = 10) {
    float quick[ROWS * 3 * IN], own[ROWS * 3 * IN];
    both_products(quick, own, "q8_0", false);
    CHECK(memcmp(quick, own, sizeof own) == 0, "Q8_0: other bits");
    both_products(quick, own, "q4_0", false);
    double off = distance(own, quick, ROWS * 3 * IN);
    CHECK(off < 1e-6, "Q4_0 differs by %g: the bias is added last, and no more", off);
}

/* Eight bits leave half a percent of an input, and so of a sum. */
Test(block_products, whole_numbers_are_near, .timeout = 10) {
    static const char *const codecs[] = {"q8_0", "q4_0"};
    for (size_t k = 0; k < 2; k++) {
        float quick[ROWS * 3 * IN], own[ROWS * 3 * IN];
        both_products(quick, own, codecs[k], true);
        double off = distance(own, quick, ROWS * 3 * IN);
        CHECK(off > 1e-5 && off < 0.01, "%s in whole numbers differs by %g", codecs[k],
              off);
    }
}

/* The quick product in whole numbers, as filed and laid out. */
Test(block_products, whole_numbers_are_those_of_integer, .timeout = 10) {
    static const char *const codecs[] = {"q8_0", "q4_0"};
    for (size_t k = 0; k < 2; k++) {
        float quick[ROWS * 3 * IN], own[ROWS * 3 * IN];
        float *x = normal_floats(ROWS * IN, 1, 2), *bias = normal_floats(3 * IN, 1, 3);
        both_products(quick, own, codecs[k], true);
        Coded coded;
        const Weight *w = coded_matrix_of(&coded, codecs[k]);
        CHECK(gpt2_use_integers(coded.model) > 0, "%s: no whole numbers", codecs[k]);
        weight_multiply(quick, x, w, bias, ROWS);
        CHECK(memcmp(quick, own, sizeof own) == 0, "%s as filed: other bits",
              codecs[k]);
        Weight transposed = weight_transpose(w),
               panels = weight_pack(&transposed, NULL);
        weight_multiply_transposed(quick, x, &panels, bias, ROWS);
        CHECK(memcmp(quick, own, sizeof own) == 0, "%s laid out: other bits",
              codecs[k]);
        weight_packed_free(&panels);
        Gpt2 *model = coded.model;
        coded_undo(&coded);
        gpt2_free(model);
        free(x);
        free(bias);
    }
}

/* Inputs are coded by the rule of exercise q8_0; x / 127 times a whole number and a
 * half is where the rounding shows. */
Test(block_products, inputs_are_coded_alike, .timeout = 10) {
    static const float sizes[] = {1, 0, 1e-20f, 1e-30f, 1e4f, 127};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (unsigned seed = 0; seed < 200; seed++) {
            BlockQ8_0 right, got;
            float *x = normal_floats(BLOCK, (double)sizes[s], seed);
            for (int i = 0; i < BLOCK && seed % 2; i++)
                x[i] = sizes[s] / 127 * ((float)(i * 8 - 123) / 2);
            if (seed % 2) x[0] = sizes[s];
            q8_0_encode(&right, x);
            block_of_inputs(&got, x);
            CHECK(memcmp(&right, &got, sizeof got) == 0,
                  "numbers like %g are coded otherwise", (double)sizes[s]);
            free(x);
        }
    }
}

Test(block_products, other_types_stay, .timeout = 10) {
    Coded coded;
    const Weight *w = coded_matrix_of(&coded, "q4_1");
    use_block_products(coded.model, true);
    CHECK(w->type == &weight_q4_1, "Q4_1 became another type");
    Gpt2 *model = coded.model;
    coded_undo(&coded);
    gpt2_free(model);
}
