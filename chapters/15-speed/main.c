/* Chapter 15: one matrix product in nine rungs, what the machine can do, and GPT-2 on
 * a product of your choice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/training_run.h"
#include "13-kv-cache/options.h"
#include "14-compression/options.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/ladder.h"
#include "15-speed/machine.h"
#include "15-speed/matmul.h"
#include "15-speed/parallel_sum.h"
#include "15-speed/product.h"
#include "program/claim.h"
#include "base/error.h"
#include "program/program.h"
#include "kernels/threads.h"

static const char *product; /* NULL: common */

/* --- the demonstration: every step, and the two exercises --- */

static void product_exercise(float *c, const float *a, const float *b, size_t m,
                             size_t n, size_t k) {
    blocked_matmul(c, (View){a, k, 1}, (View){b, n, 1}, m, n, k);
}

/* Whether a step gives the bytes of the first one; this size has every edge. */
static bool same_bytes(const Step *step) {
    enum { M = 61, N = 101, K = 401 };
    Operands o = operands_create(M, N, K), first = operands_create(M, N, K);
    product_loops(first.c, o.a, o.b, M, N, K);
    step->run(o.c, o.a, step->prepared ? o.panels : o.b, M, N, K);
    bool same = memcmp(o.c, first.c, M * N * sizeof *o.c) == 0;
    operands_free(&o);
    operands_free(&first);
    return same;
}

/* A training step of GPT-2 on so many tokens takes 6 operations for each of them and
 * each parameter. */
static void print_step(const Step *step, const Operands *o, size_t threads) {
    const double parameters = 124439808, tokens = 256;
    Contender c = {.run = step->run, .prepared = step->prepared, .rows = 8};
    timing_take_turns(&c, 1, o, threads, 1);
    c.rows = contender_rate(&c, o) < 1e9 ? 8 : 0; /* all rows of what is quick */
    timing_take_turns(&c, 1, o, threads, 2);
    printf("%-10s %-46s %-6s %8.1f %12.1f\n", step->name, step->says,
           same_bytes(step) ? "same" : "OTHER", 1e-9 * contender_rate(&c, o),
           6 * parameters * tokens / contender_rate(&c, o));
}

static void demo_ladder(size_t threads) {
    const Step exercise = {"15/matmul", "the exercise", product_exercise, false};
    Operands o = operands_create(240, 3072, 768);
    printf("C [240, 3072] += A [240, 768] B [768, 3072], one layer of GPT-2's FFN, %zu "
           "thread%s\n"
           "%-10s %-46s %-6s %8s %12s\n",
           threads, threads > 1 ? "s" : "", "step", "", "bytes", "GFLOP/s",
           "124M: s/step");
    for (size_t s = 0; s < STEPS; s++) print_step(&ladder[s], &o, threads);
    print_step(&exercise, &o, threads);
    operands_free(&o);
}

static void demo_sum(void) {
    enum { N = 1 << 20 };
    static float x[N];
    for (size_t i = 0; i < N; i++) x[i] = 0.1f;
    double first = 0;
    bool same = true;
    for (size_t threads = 1; threads <= 4; threads++) {
        threads_use(threads);
        double sum = parallel_sum(x, N);
        if (threads == 1) first = sum;
        same = same && sum == first;
    }
    printf("the sum of %d tenths, 15/parallel_sum: %.9f; 1 to 4 threads: %s\n", N,
           first, same ? "the same bytes" : "OTHER BYTES");
}

static void demo(const Settings *settings) {
    if (product && !model_is_named())
        die_usage("--product '%s': needs a --model", product);
    product_choose(product ? product : "common");
    /* panels have their own product */
    if (product && strcmp(product, "common") != 0) writing.no_prepare = true;
    if (use_model(settings)) return;
    demo_ladder(settings->threads);
    threads_use(settings->threads);
    demo_sum();
    threads_use(settings->threads);
}

int main(int argc, char **argv) {
    static const Option own[] = {
        {"product", OPTION_TEXT, &product,
         "of --model: common, matmul (the exercise) or a step of the ladder", 0, 0},
        {0},
    };
    static const Experiment timed[] = {
        {"sums", "multiply-adds by sums at once: where the peak comes from",
         experiment_sums},
        {"columns", "the three loops on 3072 columns, and on sixteen more",
         experiment_columns},
        {"ladder", "every step against the peak, common/kernels/matmul.c and OpenBLAS",
         experiment_ladder},
        {"products", "GPT-2's products, in three forms, beside those of OpenBLAS",
         experiment_products},
        {"roofline", "peak, bandwidth, and every kernel of GPT-2 below them",
         experiment_roofline},
        {"kernels",
         "LayerNorm backward, softmax and attention in steps: bytes and times",
         experiment_kernels},
        {"step", "where the seconds of a training step of 124M go", experiment_step},
        {"inference", "a token and a prompt of 124M beside their bounds, by operation",
         experiment_inference},
        {"decoding", "a token of 124M with weights as the file has them and laid out",
         experiment_decoding},
        {"integers", "the same in blocks, multiplied as floats and in whole numbers",
         experiment_integers},
        {"bfloat", "products on units for bfloat16: their bits and their rate",
         experiment_bfloat},
        {"tips", "a table for GELU, sparse gradients, fused operations: worth it?",
         experiment_tips},
        {"alignment", "a product on rows that begin at a cache line, and elsewhere",
         experiment_alignment},
        {"sharing", "two sums in one line of the cache", experiment_sharing},
        {0},
    };
    writing.sampling.temperature = 0.8;
    coding_start();
    return program_run(
        argc, argv,
        &(Program){
            .name = "15-speed",
            .summary = "a matrix product from three loops to the "
                       "machine's peak; GPT-2 on any of them",
            .example = "--model build/model --product matmul",
            .options = {model_options, ids_options, pass_options, look_options,
                        text_options, writing_options, cache_options, codec_options,
                        own},
            .commands = {&write_command, &convert_command, &train_command,
                         &eval_command, &keys_command, &info_command, &dump_command},
            .timed = timed,
            .demo = demo,
        });
}
