/* The two lines of this machine, and where GPT-2's kernels lie below them: predicted
 * from operations and bytes alone, then measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "04-ffn-swiglu/gelu.h"
#include "07-attention/causal_attention.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "kernels/threads.h"

/* GPT-2's sizes; ROWS tokens, so that what is done number by number comes from memory;
 * what a prompt goes over may lie in a cache. */
enum {
    DIM = 768,
    WIDE = 3072,
    ROWS = 32768,
    ALL = ROWS * DIM,
    TOKENS = 256,
    HEADS = 12,
    HEAD = 64,
    LENGTH = 256,
    PROMPT = 512
};
enum {
    VOCAB = 50257,
    LOGITS = TOKENS * VOCAB,
    LAYERS = 16,
    WEIGHTS = LAYERS * DIM * WIDE, /* 151 MB, more than most last caches hold */
    PAIRS = HEADS * LENGTH * (LENGTH + 1) / 2,
    PROMPT_PAIRS = HEADS * PROMPT * (PROMPT + 1) / 2
};
enum { LARGEST = WEIGHTS, MOST_THREADS = 2, TURNS = 3 };

static float *x[5]; /* [LARGEST] each */
static float statistics[2][ROWS];
static int targets[TOKENS];

static void qkv(void) {
    matmul(x[0], x[1], x[2], TOKENS, 3 * DIM, DIM, false);
}
static void ffn_out(void) {
    matmul(x[0], x[1], x[2], TOKENS, WIDE, DIM, false);
}
static void ffn_dx(void) {
    matmul_a_bt(x[0], x[1], x[2], TOKENS, DIM, WIDE, true);
}
static void ffn_dw(void) {
    matmul_at_b(x[0], x[1], x[2], DIM, WIDE, TOKENS, true);
}
static void one_token(void) {
    for (size_t i = 0; i < LAYERS; i++)
        matmul(x[0], x[1], x[2] + i * DIM * WIDE, 1, WIDE, DIM, false);
}
static void norm_out(void) {
    layernorm_forward(x[0], statistics[0], statistics[1], x[1], x[2], x[3], ROWS, DIM,
                      1e-5f);
}
static void norm_back(void) {
    layernorm_backward(x[0], x[3], x[3] + DIM, x[1], x[2], statistics[0], statistics[1],
                       x[3] + 2 * DIM, ROWS, DIM);
}
static void gelu(void) {
    gelu_tanh_forward(x[0], x[1], ALL);
}
static void gelu_back(void) {
    gelu_tanh_backward(x[0], x[1], x[2], ALL);
}
static void softmax_out(void) {
    softmax_forward(x[0], x[1], TOKENS, VOCAB, 1);
}
static void loss_back(void) {
    cross_entropy_backward(x[0], 1, x[1], statistics[0], targets, TOKENS, VOCAB);
}
static void attention_of(size_t length) {
    AttentionShape heads = {
        .n_heads = HEADS, .length = length, .head_dim = HEAD, .causal = true};
    attention_forward(x[0], x[1], x[2], x[3], x[3] + length * DIM,
                      x[3] + 2 * length * DIM, &heads);
}
static void attention_out(void) {
    attention_of(LENGTH);
}
static void adamw(void) {
    AdamWSettings s = {1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f};
    adamw_update_parts(x[0], x[1], x[2], x[3], WEIGHTS, &s, 10);
}
static void prompt_qkv(void) {
    matmul(x[0], x[1], x[2], PROMPT, 3 * DIM, DIM, false);
}
static void prompt_ffn(void) {
    matmul(x[0], x[1], x[2], PROMPT, WIDE, DIM, false);
}
static void prompt_attention(void) {
    attention_of(PROMPT);
}
static void prompt_norm(void) {
    layernorm_forward(x[0], statistics[0], statistics[1], x[1], x[2], x[3], PROMPT, DIM,
                      1e-5f);
}
static void prompt_gelu(void) {
    gelu_tanh_forward(x[0], x[1], PROMPT * WIDE);
}

/* Operations, and floats that come from memory and that go there, once each. A line of
 * the cache that is written is fetched before, so that a new array counts among those
 * that are read. e^x is 20 operations, tanh 25, as common/math/fmath.h has them. */
typedef struct {
    const char *name, *when;
    Work *run;
    double flop, read, written;
} Kernel;

static const Kernel kernels[] = {
    {"q k v", "forward", qkv, 2.0 * TOKENS * 3 * DIM *DIM,
     TOKENS * 4 * DIM + 3 * DIM *DIM, TOKENS * 3 * DIM},
    {"FFN", "forward", ffn_out, 2.0 * TOKENS *WIDE *DIM,
     TOKENS *(DIM + WIDE) + WIDE *DIM, TOKENS *WIDE},
    {"FFN dx", "backward", ffn_dx, 2.0 * TOKENS *WIDE *DIM,
     TOKENS *(DIM + WIDE) + WIDE *DIM, TOKENS *DIM},
    {"FFN dW", "backward", ffn_dw, 2.0 * TOKENS *WIDE *DIM,
     TOKENS *(DIM + WIDE) + WIDE *DIM, WIDE *DIM},
    {"FFN one token", "decoding", one_token, 2.0 * WEIGHTS, WEIGHTS, 0},
    {"attention", "forward", attention_out, 4.0 * PAIRS *HEAD + 24.0 * PAIRS,
     4 * LENGTH *DIM + HEADS *LENGTH *LENGTH, LENGTH *DIM + HEADS *LENGTH *LENGTH},
    {"LayerNorm", "forward", norm_out, 8.0 * ALL, 2.0 * ALL, ALL},
    {"LayerNorm dx", "backward", norm_back, 14.0 * ALL, 3.0 * ALL, ALL},
    {"GELU", "forward", gelu, 33.0 * ALL, 2.0 * ALL, ALL},
    {"GELU dx", "backward", gelu_back, 40.0 * ALL, 3.0 * ALL, ALL},
    {"softmax", "forward", softmax_out, 24.0 * LOGITS, 2.0 * LOGITS, LOGITS},
    {"cross-entropy", "backward", loss_back, 23.0 * LOGITS, 2.0 * LOGITS, LOGITS},
    {"AdamW", "backward", adamw, 14.0 * WEIGHTS, 4.0 * WEIGHTS, 3.0 * WEIGHTS},
    {"q k v", "prompt", prompt_qkv, 2.0 * PROMPT * 3 * DIM *DIM,
     PROMPT * 4 * DIM + 3 * DIM *DIM, PROMPT * 3 * DIM},
    {"FFN", "prompt", prompt_ffn, 2.0 * PROMPT *WIDE *DIM,
     PROMPT *(DIM + WIDE) + WIDE *DIM, PROMPT *WIDE},
    {"attention", "prompt", prompt_attention,
     4.0 * PROMPT_PAIRS *HEAD + 24.0 * PROMPT_PAIRS,
     4 * PROMPT *DIM + HEADS *PROMPT *PROMPT, PROMPT *DIM + HEADS *PROMPT *PROMPT},
    {"LayerNorm", "prompt", prompt_norm, 8.0 * PROMPT *DIM, 2.0 * PROMPT *DIM,
     PROMPT *DIM},
    {"GELU", "prompt", prompt_gelu, 33.0 * PROMPT *WIDE, 2.0 * PROMPT *WIDE,
     PROMPT *WIDE},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static size_t find(const char *name, const char *when) {
    size_t i = 0;
    while (strcmp(kernels[i].name, name) != 0 || strcmp(kernels[i].when, when) != 0)
        i++;
    return i;
}

/* The two bounds of every kernel: operations a second, and bytes a second of reading
 * alone, and of reading and writing, of an array as large as the weights of one matrix
 * in all layers. */
typedef struct {
    double peak, read, change;
} Roof;

/* The roof is measured before, between and after the kernels, and its best counts, as
 * the quickest turn of each kernel does. */
static void raise_roof(Roof *roof, size_t threads) {
    const size_t far = sizeof(float) * WEIGHTS;
    roof->peak = larger(roof->peak, machine_peak(threads));
    roof->read = larger(roof->read, machine_bandwidth(far, threads, false));
    roof->change = larger(roof->change, machine_bandwidth(far, threads, true));
}

static void measure_kernels(double measured[KERNELS], Roof *roof, size_t threads) {
    enum { ROUNDS = 3 };
    for (size_t i = 0; i < KERNELS; i++) measured[i] = INFINITY;
    *roof = (Roof){0, 0, 0};
    for (size_t round = 0; round < ROUNDS; round++) {
        raise_roof(roof, threads);
        for (size_t i = 0; i < KERNELS; i++) {
            double seconds;
            timing_work(&seconds, &kernels[i].run, 1, threads, TURNS);
            measured[i] = smaller(measured[i], seconds);
        }
    }
    raise_roof(roof, threads);
}

/* A kernel's share of the roof: what operations and bytes predict, over its time. */
static double report_kernel(Csv *csv, const Kernel *k, size_t threads, const Roof *roof,
                            double measured) {
    double bytes = 4 * (k->read + k->written), arithmetic = k->flop / roof->peak;
    double memory =
        larger(4 * k->read / roof->read, k->written > 0 ? bytes / roof->change : 0);
    double predicted = larger(arithmetic, memory);
    printf("  %-14s %-8s %8.2f %-10s %10.0f %10.0f %6.2f\n", k->name, k->when,
           k->flop / bytes, arithmetic > memory ? "arithmetic" : "memory",
           1e6 * predicted, 1e6 * measured, predicted / measured);
    csv_row(csv, "%s,%s,%zu,%.4g,%s,%.4g,%.4g,%.4g,%.4g,%.4g", k->name, k->when,
            threads, k->flop / bytes, arithmetic > memory ? "arithmetic" : "memory",
            1e6 * predicted, 1e6 * measured, 1e-9 * k->flop / predicted,
            1e-9 * k->flop / measured, predicted / measured);
    return predicted / measured;
}

static void fill(void) {
    for (size_t i = 0; i < 5; i++) {
        x[i] = checked_aligned_alloc(LARGEST, sizeof *x[i]);
        for (size_t j = 0; j < LARGEST; j++) x[i][j] = (float)(j % 1009) * 0x1p-10f;
    }
    for (int i = 0; i < TOKENS; i++) targets[i] = 97 * i;
    for (size_t i = 0; i < ROWS; i++) statistics[1][i] = 1;
}

void experiment_roofline(const Settings *settings) {
    Csv roofs = csv_begin(settings->out, "roof",
                          "threads,peak_gflops,read_gb_per_s,change_gb_per_s,ridge");
    Csv csv = csv_begin(settings->out, "roofline",
                        "kernel,when,threads,flop_per_byte,limit,predicted_us,measured_"
                        "us,roof_gflops,gflops,share");
    double share[MOST_THREADS + 1][KERNELS];
    fill();
    for (size_t threads = 1; threads <= (settings->quick ? 1 : MOST_THREADS);
         threads++) {
        Roof roof;
        double measured[KERNELS];
        measure_kernels(measured, &roof, threads);
        printf("%zu thread%s: peak %.1f GFLOP/s\n", threads, threads > 1 ? "s" : "",
               1e-9 * roof.peak);
        csv_row(&roofs, "%zu,%.4g,%.4g,%.4g,%.4g", threads, 1e-9 * roof.peak,
                1e-9 * roof.read, 1e-9 * roof.change, roof.peak / roof.read);
        printf("  %-14s %-8s %8s %-10s %10s %10s %6s\n", "kernel", "", "flop/B",
               "limit", "predicted", "us", "share");
        for (size_t i = 0; i < KERNELS; i++)
            share[threads][i] =
                report_kernel(&csv, &kernels[i], threads, &roof, measured[i]);
    }
    csv_commit(&roofs);
    csv_commit(&csv);
    threads_use(settings->threads);
    for (size_t i = 0; i < 5; i++) free(x[i]);
    double highest = 0; /* a prompt's arrays may lie in a cache */
    for (size_t i = 0; i < KERNELS; i++) {
        if (strcmp(kernels[i].when, "prompt") != 0)
            highest = larger(highest, share[1][i]);
    }
    claim(highest < 2,
          "one thread: no kernel of training or decoding is above its roof by more "
          "than %.2f (2, since "
          "caches help)",
          highest);
    double ffn_share = share[1][find("FFN", "forward")],
           prompt_share = share[1][find("FFN", "prompt")],
           token_share = share[1][find("FFN one token", "decoding")];
    claim(ffn_share > 0.5,
          "one thread: the FFN's product reaches %.2f of its roof (above 0.5)",
          ffn_share);
    claim(prompt_share > 0.5,
          "one thread: the prompt's FFN reaches %.2f of its roof (above 0.5)",
          prompt_share);
    claim(token_share > 0.4,
          "one thread: one token's product reaches %.2f of its roof (above 0.4)",
          token_share);
}
