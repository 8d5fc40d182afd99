/* The other kernels, each against what limits it: moving its arrays by a plain loop, or
 * computing its formula on an array in the first cache, whichever takes longer.
 * Attention also has its products. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "03-rmsnorm/rmsnorm.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/swiglu.h"
#include "06-embeddings/embedding.h"
#include "07-attention/causal_attention.h"
#include "13-kv-cache/attention_step.h"
#include "14-compression/codec.h"
#include "bench.h"
#include "base/clock.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "weights/weight_panels.h"

/* Rows as wide as GPT-2's, and so many that they come from memory; for attention, one
 * text of 512 tokens. */
enum {
    DIM = 768,
    WIDE = 3072,
    VOCAB = 50257,
    HEADS = 12,
    TEXT = 512,
    HEAD = DIM / HEADS
};
enum { TOKENS = 256, ROWS = 16384, ALL = ROWS * DIM, LOGITS = TOKENS * VOCAB };
enum {
    WEIGHTS = 12 * DIM * WIDE,
    PAIRS = HEADS * TEXT * (TEXT + 1) / 2,
    LARGEST = VOCAB * DIM
};

static float *x[5]; /* each of LARGEST floats, 154 MB, as many as the token table */
static float statistics[2][ROWS];
static int tokens[ROWS];
static volatile float sink;
static Weight coded[2]; /* the weights of matvec_transposed as Q8_0 and Q4_0, laid out
                           for writing */

typedef struct {
    const char *name;
    void (*run)(void);
    Moves floats;
    Formula formula;
    size_t values; /* of that formula */
    double flop;   /* in matrix products */
} Kernel;

static void matvec(void) {
    for (size_t i = 0; i < 12; i++)
        matmul(x[0], x[1], x[2] + i * DIM * WIDE, 1, WIDE, DIM, false);
}
static void matvec_transposed(void) {
    matmul_a_bt(x[0], x[1], x[2], 1, WEIGHTS / DIM, DIM, false);
}
static void matvec_q8_0_blocks(void) {
    weight_multiply_transposed(x[0], x[1], &coded[0], NULL, 1);
}
static void matvec_q4_0_blocks(void) {
    weight_multiply_transposed(x[0], x[1], &coded[1], NULL, 1);
}
static void layernorm_out(void) {
    layernorm_forward(x[0], statistics[0], statistics[1], x[1], x[2], x[3], ROWS, DIM,
                      1e-5f);
}
static void layernorm_in(void) {
    layernorm_backward(x[0], x[3], x[3] + DIM, x[1], x[2], statistics[0], statistics[1],
                       x[3], ROWS, DIM);
}
static void rmsnorm_out(void) {
    rmsnorm_forward(x[0], statistics[1], x[1], x[2], ROWS, DIM, 1e-5f);
}
static void rmsnorm_in(void) {
    rmsnorm_backward(x[0], x[3], x[1], x[2], statistics[1], x[3], ROWS, DIM);
}
static void gelu_out(void) {
    gelu_tanh_forward(x[0], x[1], ALL);
}
static void gelu_in(void) {
    gelu_tanh_backward(x[0], x[1], x[2], ALL);
}
static void swiglu_out(void) {
    swiglu_forward(x[0], x[1], x[2], ALL);
}
static void swiglu_in(void) {
    swiglu_backward(x[0], x[1], x[2], x[3], x[4], ALL);
}
static void softmax_last(void) {
    softmax_forward(x[0], x[1], TOKENS, VOCAB, 1);
}
static void softmax_middle(void) {
    softmax_forward(x[0], x[1], 192, 256, 256);
}
static void loss_out(void) {
    sink = cross_entropy_forward(statistics[0], x[1], tokens, TOKENS, VOCAB);
}
static void loss_in(void) {
    cross_entropy_backward(x[0], 1, x[1], statistics[0], tokens, TOKENS, VOCAB);
}
static void embedding_in(void) {
    embedding_backward(x[0], x[1], tokens, ROWS, DIM, NO_PADDING);
}
static void adamw(void) {
    AdamWSettings s = {.learning_rate = 1e-4f,
                       .beta1 = 0.9f,
                       .beta2 = 0.95f,
                       .eps = 1e-8f,
                       .weight_decay = 0.1f};
    adamw_update_parts(x[0], x[1], x[2], x[3], WEIGHTS / 3, &s, 10);
}
static const AttentionShape shape = {
    .n_heads = HEADS, .length = TEXT, .head_dim = HEAD, .causal = true};
static void attention_out(void) {
    attention_forward(x[0], x[1], x[2], x[3], x[3] + TEXT * DIM, x[3] + 2 * TEXT * DIM,
                      &shape);
}
static void attention_in(void) {
    attention_backward(x[0], x[0] + TEXT * DIM, x[0] + 2 * TEXT * DIM, x[2], x[4], x[1],
                       x[3], x[3] + TEXT * DIM, x[3] + 2 * TEXT * DIM, &shape);
}
static void attention_one(void) { /* twelve layers, 1024 positions in the cache */
    for (size_t l = 0; l < 12; l++)
        attention_step(x[0], x[1], x[2], x[3] + l * 1024 * DIM, x[4] + l * 1024 * DIM,
                       HEADS, HEAD, 1024, 1024);
}

static const Kernel kernels[] = {
    {"matvec, 28 M weights", matvec, {WEIGHTS, 0, 0}, FORMULA_NONE, 0, 0},
    {"matvec, transposed", matvec_transposed, {WEIGHTS, 0, 0}, FORMULA_NONE, 0, 0},
    {"matvec, Q8_0",
     matvec_q8_0_blocks,
     {WEIGHTS / 32 * 34 / 4, 0, 0},
     FORMULA_NONE,
     0,
     0},
    {"matvec, Q4_0",
     matvec_q4_0_blocks,
     {WEIGHTS / 32 * 18 / 4, 0, 0},
     FORMULA_NONE,
     0,
     0},
    {"attention of one token",
     attention_one,
     {2 * 12 * 1024 * DIM, 0, 0},
     FORMULA_SOFTMAX,
     12 * HEADS * 1024,
     0},
    {"attention forward",
     attention_out,
     {2 * TEXT * DIM, TEXT *DIM, 0},
     FORMULA_SOFTMAX,
     PAIRS,
     4.0 * PAIRS *HEAD},
    {"attention backward",
     attention_in,
     {4 * TEXT * DIM, 0, 3 * TEXT *DIM},
     FORMULA_NONE,
     0,
     8.0 * PAIRS *HEAD},
    {"layernorm forward", layernorm_out, {0, ALL, 0}, FORMULA_NONE, 0, 0},
    {"layernorm backward", layernorm_in, {2 * ALL, 0, ALL}, FORMULA_NONE, 0, 0},
    {"rmsnorm forward", rmsnorm_out, {0, ALL, 0}, FORMULA_NONE, 0, 0},
    {"rmsnorm backward", rmsnorm_in, {2 * ALL, 0, ALL}, FORMULA_NONE, 0, 0},
    {"gelu forward", gelu_out, {0, ALL, 0}, FORMULA_GELU, ALL, 0},
    {"gelu backward", gelu_in, {2 * ALL, 0, ALL}, FORMULA_GELU_SLOPE, ALL, 0},
    {"swiglu forward", swiglu_out, {ALL, ALL, 0}, FORMULA_SILU, ALL, 0},
    {"swiglu backward", swiglu_in, {3 * ALL, 0, 2 * ALL}, FORMULA_SILU, ALL, 0},
    {"softmax, last axis", softmax_last, {0, LOGITS, 0}, FORMULA_SOFTMAX, LOGITS, 0},
    {"softmax, middle axis", softmax_middle, {0, ALL, 0}, FORMULA_SOFTMAX, ALL, 0},
    {"cross-entropy forward", loss_out, {LOGITS, 0, 0}, FORMULA_LOGSUMEXP, LOGITS, 0},
    {"cross-entropy backward", loss_in, {LOGITS, 0, LOGITS}, FORMULA_EXP, LOGITS, 0},
    {"embedding backward", embedding_in, {ALL, 0, ALL}, FORMULA_NONE, 0, 0},
    {"adamw, 9.4 M parameters", adamw, {WEIGHTS / 3, 0, WEIGHTS}, FORMULA_NONE, 0, 0},
};

static double run_seconds(const Kernel *k) {
    double started = clock_seconds();
    k->run();
    return clock_seconds() - started;
}

void bench_kernels(Csv *csv, size_t threads) {
    double rates[5], one[FORMULAS];
    bench_threads(threads);
    for (size_t i = 0; i < 5; i++) rates[i] = yardstick_product_rate(threads);
    double rate = quantile(rates, 5, 0.5);
    for (Formula f = FORMULA_NONE; f < FORMULAS; f++)
        one[f] = yardstick_formula(f, threads);
    for (size_t i = 0; i < 5; i++) x[i] = bench_floats(LARGEST);
    for (int i = 0; i < 2; i++) {
        double value;
        const Codec *codec = codec_find(i ? "q4_0" : "q8_0", &value);
        Weight blocks = codec_encode(
            codec, value, &(Matrix){.data = x[2], .rows = WEIGHTS / DIM, .cols = DIM});
        coded[i] = weight_panels(&blocks, NULL);
        free((void *)(uintptr_t)blocks.data);
    }
    for (size_t i = 0; i < ROWS; i++) tokens[i] = (int)(i * 97 % VOCAB);
    printf("\nkernels, %zu thread%s: microseconds at the limit and measured. One "
           "number in the cache, in ns: "
           "exp "
           "%.3f, softmax %.3f, gelu %.3f, its slope %.3f, silu %.3f\n",
           threads, threads > 1 ? "s" : "", 1e9 * one[FORMULA_EXP],
           1e9 * one[FORMULA_SOFTMAX], 1e9 * one[FORMULA_GELU],
           1e9 * one[FORMULA_GELU_SLOPE], 1e9 * one[FORMULA_SILU]);
    printf("%-26s %-10s %10s %10s %6s %6s\n", "", "limited by", "limit", "measured",
           "ratio", "spread");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const Kernel *k = &kernels[i];
        double measured[MAX_ROUNDS], memory[MAX_ROUNDS];
        for (size_t r = 0; r < bench_rounds; r++) {
            memory[r] = yardstick_move(x[2], x[0], k->floats);
            measured[r] = run_seconds(k);
        }
        Spread spread = bench_spread(measured, bench_rounds);
        double limit = quantile(memory, bench_rounds, 0.5), time = spread.middle;
        double arithmetic = k->flop / rate + (double)k->values * one[k->formula];
        const char *name = arithmetic > limit ? "arithmetic" : "memory";
        limit = arithmetic > limit ? arithmetic : limit;
        printf("%-26s %-10s %10.1f %10.1f %6.2f %4.0f %%\n", k->name, name, 1e6 * limit,
               1e6 * time, limit / time, 100 * spread.spread);
        csv_row(csv, "%zu,\"%s\",%s,%.4g,%.4g,%.4g,%.2g", threads, k->name, name,
                1e6 * limit, 1e6 * time, limit / time, spread.spread);
    }
    for (size_t i = 0; i < 5; i++) free(x[i]);
    for (int i = 0; i < 2; i++) weight_panels_free(&coded[i]);
}
