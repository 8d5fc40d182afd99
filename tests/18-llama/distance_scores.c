/* Tests of scores with a penalty for the distance: the weights that the formula gives,
 * and gradients. */
#include "18-llama/experiments/distance_scores.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

enum { HEADS = 4, DIM = 6, WIDTH = HEADS * DIM, LENGTH = 7 };

static Attention make_attention(Params *params) {
    BlockConfig block = block_config_gpt2(WIDTH, HEADS);
    distance_scores_set(&block);
    AttentionConfig config = {.d_model = WIDTH,
                              .n_head = HEADS,
                              .causal = true,
                              .rotary = block.rotary,
                              .hooks = block.hooks};
    Random init = random_create(7);
    return attention_create(params, &init, &config, 0.4f, 0.4f, "attn");
}

/* softmax over j of q k^T / sqrt(DIM) - slope (p - j), of all features but the last. */
static void plain_weights(double *out, const float *qkv) {
    for (size_t h = 0; h < HEADS; h++) {
        double slope = pow(2, -8.0 * (double)(h + 1) / HEADS);
        for (size_t p = 0; p < LENGTH; p++) {
            double scores[LENGTH], sum = 0;
            for (size_t j = 0; j <= p; j++) {
                double score = 0;
                for (size_t i = 0; i < DIM - 1; i++)
                    score += (double)qkv[p * 3 * WIDTH + h * DIM + i] *
                             (double)qkv[j * 3 * WIDTH + WIDTH + h * DIM + i];
                sum += scores[j] =
                    exp(score / sqrt(DIM) - slope * ((double)p - (double)j));
            }
            for (size_t j = 0; j < LENGTH; j++)
                out[(h * LENGTH + p) * LENGTH + j] = j <= p ? scores[j] / sum : 0;
        }
    }
}

Test(distance_scores, weights, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = make_attention(&params);
    float x[LENGTH * WIDTH];
    Random random = random_create(8);
    random_fill_normal(&random, x, LENGTH * WIDTH, 1);
    Tape t = tape_create(1);
    Tensor *input = tape_tensor(&t, 3, (size_t[]){1, LENGTH, WIDTH}, false), *weights;
    memcpy(input->data, x, sizeof x);
    Tensor *qkv = linear(&t, &a.c_attn, input);
    double expected[HEADS * LENGTH * LENGTH];
    plain_weights(expected, qkv->data);
    attention_with_weights(&t, &a, input, &weights);
    CHECK_CLOSE("weights", weights->data, expected, HEADS * LENGTH * LENGTH, 1e-5);
    tape_free(&t);
    params_free(&params);
}

/* Nothing flows back into the features that were set; the others keep their
 * gradient. */
Test(distance_scores, gradients, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = make_attention(&params);
    Tensor *qkv = params_add(&params, 3, (size_t[]){1, LENGTH, 3 * WIDTH}, "qkv");
    int positions[LENGTH];
    for (int i = 0; i < LENGTH; i++) positions[i] = i;
    Tape t = tape_create(1);
    Tensor *out = a.config.hooks->rotate(&t, &a.config, qkv, positions);
    for (size_t i = 0; i < tensor_size(out); i++) out->grad[i] = 2;
    for (size_t i = 0; i < tensor_size(qkv); i++) qkv->grad[i] = 0.5f;
    tape_backward_from_grad(&t);
    for (size_t i = 0; i < tensor_size(qkv); i++) {
        bool set = i % (3 * WIDTH) < 2 * WIDTH && i % DIM == DIM - 1;
        CHECK(qkv->grad[i] == (set ? 0.5f : 2.5f), "gradient %zu is %g", i,
              (double)qkv->grad[i]);
    }
    tape_free(&t);
    params_free(&params);
}
