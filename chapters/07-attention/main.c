/* Chapter 07: attention, masked and not. */
#include <stdio.h>

#include "07-attention/attention.h"
#include "07-attention/causal_attention.h"
#include "07-attention/experiments/experiments.h"
#include "07-attention/experiments/leak_model.h"
#include "07-attention/online_attention.h"
#include "07-attention/single_head.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/program.h"

/* --- a failure first: a loss that is too good --- */

static void show_leak(uint64_t seed) {
    enum { STEPS = 150 };
    double full[STEPS / LEAK_EVERY + 1], causal[STEPS / LEAK_EVERY + 1];
    leak_train(full, NULL, LEAK_RANDOM, false, STEPS, seed);
    leak_train(causal, NULL, LEAK_RANDOM, true, STEPS, seed);
    printf("Next-word loss on words drawn at random from %d (ln %d = %.3f):\n",
           LEAK_WORDS, LEAK_WORDS, log_double(LEAK_WORDS));
    printf("  step   without a mask   causal\n");
    for (size_t step = 0; step <= STEPS; step += 50) {
        printf("  %4zu           %6.3f   %6.3f\n", step, full[step / LEAK_EVERY],
               causal[step / LEAK_EVERY]);
    }
}

/* --- four words by hand --- */

enum { WORDS = 4, DIM = 2 };
static const char *const words[WORDS] = {"red", "car", "blue", "bike"};

//> four_words
/* The first feature of a key says "I am a colour", that of a query "I look for a
 * colour". */
static const float k[] = {3, 0, /**/ 0, 3, /**/ 3, 0, /**/ 0, 3};
static const float q[] = {0, 0, /**/ 2, 0, /**/ 0, 0, /**/ 2, 0};
/* A value hands over which colour it is: red, blue. */
static const float v[] = {1, 0, /**/ 0, 0, /**/ 0, 1, /**/ 0, 0};
//< four_words

static void print_weights(const char *title, const float *weights, const float *out) {
    printf(
        "\n%s\n                 red     car    blue    bike        out: red   blue\n",
        title);
    for (size_t t = 0; t < WORDS; t++) {
        printf("  %-10s", words[t]);
        for (size_t s = 0; s < WORDS; s++)
            printf("  %6.3f", (double)weights[t * WORDS + s]);
        printf("          %6.3f %6.3f\n", (double)out[t * DIM],
               (double)out[t * DIM + 1]);
    }
}

static void show_weights(void) {
    float out[WORDS * DIM], weights[WORDS * WORDS], scratch[WORDS * WORDS];
    single_head_forward(out, weights, q, k, v, WORDS, DIM);
    print_weights(
        "Attention weights without a mask (a row is a word that looks, and sums to 1):",
        weights, out);
    AttentionShape shape = {
        .n_heads = 1, .length = WORDS, .head_dim = DIM, .causal = true};
    attention_forward(out, weights, scratch, q, k, v, &shape);
    print_weights("With the causal mask:", weights, out);
}

/* Row t of a causal head has read keys 0 .. t. With the same query in every row, one
 * sees it read. */
static void show_reading(void) {
    enum { BIKE = 3 };
    float same[WORDS * DIM], out[WORDS * DIM], logsumexp[WORDS];
    for (size_t i = 0; i < WORDS * DIM; i++) same[i] = q[BIKE * DIM + i % DIM];
    AttentionShape shape = {
        .n_heads = 1, .length = WORDS, .head_dim = DIM, .causal = true};
    online_attention_forward(out, logsumexp, same, k, v, &shape);
    printf("\nBike reads one key after the other:\n  key       log-sum-exp        out: "
           "red   blue\n");
    for (size_t t = 0; t < WORDS; t++) {
        printf("  %-10s %10.3f          %6.3f %6.3f\n", words[t], (double)logsumexp[t],
               (double)out[t * DIM], (double)out[t * DIM + 1]);
    }
}

/* --- causality, to the last bit --- */

enum { CAUSAL_LENGTH = 8, CHANGED = 5 };

/* A kind of attention. */
typedef struct {
    const char *name;
    bool causal;
    AttentionKind kind;
} Way;

/* Runs attention over one text, and again after its position CHANGED has changed: out
 * [2]. */
static void run_twice(Tensor *out[2], Tape *t, const Way *way, uint64_t seed) {
    enum { C = 16, STREAM_INIT = 4 };
    Random init = random_stream(seed, STREAM_INIT);
    Params params = {.mode = PARAMS_INFER};
    AttentionConfig config = {.d_model = C,
                              .n_head = 4,
                              .causal = way->causal,
                              .qkv_bias = true,
                              .proj_bias = true,
                              .kind = way->kind};
    Attention a = attention_create(&params, &init, &config, 0.3f, 0.3f, "attn");
    Tensor *x = tape_tensor(t, 3, (size_t[]){1, CAUSAL_LENGTH, C}, false);
    random_fill_normal(&init, x->data, tensor_size(x), 1);
    out[0] = attention(t, &a, x);
    for (size_t i = 0; i < C; i++) x->data[CHANGED * C + i] += 1.0f;
    out[1] = attention(t, &a, x);
    params_free(&params);
}

/* How many outputs of each position change with position CHANGED. */
static void show_causality(uint64_t seed) {
    static const Way ways[] = {{"without a mask", false, ATTENTION_PLAIN},
                               {"causal", true, ATTENTION_PLAIN},
                               {"causal, online", true, ATTENTION_ONLINE}};
    Tape t = tape_for_inference();
    Tensor *out[3][2];
    printf("\nThe input of position %d changes. Outputs (of 16) that change, to the "
           "last bit:\n  position      ",
           CHANGED);
    for (int p = 0; p < CAUSAL_LENGTH; p++) printf(" %3d", p);
    for (size_t w = 0; w < 3; w++) {
        run_twice(out[w], &t, &ways[w], seed);
        printf("\n  %-14s", ways[w].name);
        size_t width = tensor_cols(out[w][0]);
        for (size_t p = 0; p < CAUSAL_LENGTH; p++) {
            size_t changes = 0;
            for (size_t i = p * width; i < (p + 1) * width; i++) {
                changes += out[w][0]->data[i] != out[w][1]->data[i];
            }
            printf(" %3zu", changes);
        }
    }
    double apart =
        largest_difference(out[1][0]->data, out[2][0]->data, tensor_size(out[1][0]));
    printf("\nLargest difference between the two causal ones: %.0e\n", apart);
    tape_free(&t);
}

static void demo(const Settings *settings) {
    show_leak(settings->seed);
    show_weights();
    show_reading();
    show_causality(settings->seed);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"leak", "a language model that reads its answers, and one that cannot",
         experiment_leak},
        {"scale", "what 1 / sqrt(head_dim) does to the weights and their gradient",
         experiment_scale},
        {"heads", "one head or several of as many weights, divided by sqrt(d) or not",
         experiment_heads},
        {"induction", "a head that finds where the present word stood before",
         experiment_induction},
        {"gradient", "the steps of the backward pass against central differences",
         experiment_gradient},
        {0},
    };
    static const Experiment timed[] = {
        {"cost", "time and memory by length, with and without a table of weights",
         experiment_cost},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){.name = "07-attention",
                                  .summary = "attention, masked and not",
                                  .example = "--experiment leak",
                                  .experiments = experiments,
                                  .timed = timed,
                                  .demo = demo});
}
