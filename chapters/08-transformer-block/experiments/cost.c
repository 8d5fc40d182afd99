/* What a block of the small GPT-2 costs, by part, against the length of the text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/block.h"
#include "claim.h"
#include "clock.h"
#include "csv.h"
#include "fit.h"

enum { D_MODEL = 768, N_HEAD = 12, D_FF = 4 * D_MODEL };

/* Multiplications of one forward pass over `length` positions, in millions. Position t looks at t + 1. */
typedef struct {
    double projections, looking, ffn;
} Work;

static Work work_of(double length) {
    const double d = D_MODEL;
    return (Work){.projections = length * 4 * d * d / 1e6,
                  .looking = length * (length + 1) * d / 1e6, /* scores, and the weighted sum of the values */
                  .ffn = length * 2 * d * D_FF / 1e6};
}

typedef struct {
    Params params;
    Block block;
} OneBlock;

static OneBlock one_block(ParamsMode mode) {
    OneBlock b = {.params = {.mode = mode}};
    Random init = random_create(1);
    BlockConfig config = block_config_gpt2(D_MODEL, N_HEAD);
    b.block = block_create(&b.params, &init, &config, 0.02f, 0.02f, "h");
    return b;
}

static void free_block(OneBlock *b) {
    block_free(&b->block);
    params_free(&b->params);
}

/* Bytes on the tape behind one forward pass that will be followed by a backward pass: measured. */
static double bytes_of(size_t length) {
    OneBlock b = one_block(PARAMS_TRAIN);
    Tape t = tape_create(1);
    Tensor *x = tape_tensor(&t, 3, (size_t[]){1, length, D_MODEL}, true);
    memset(x->data, 0, tensor_size(x) * sizeof(float));
    block_forward(&t, &b.block, attention_layer(&b.block.attn), x);
    double bytes = (double)t.arena.total;
    tape_free(&t);
    free_block(&b);
    return bytes;
}

void experiment_cost(const Settings *settings) {
    size_t longest = settings->quick ? 256 : 1024;
    /* bytes = a T + b T^2, from the two shortest lengths */
    double one = bytes_of(64), two = bytes_of(128);
    double b = (two / 128 - one / 64) / 64, a = one / 64 - 64 * b;
    Csv csv = csv_begin(settings->out, "08-cost", "length,projections,looking,ffn,megabytes,line,square");
    printf("%8s %12s %12s %12s %14s\n", "length", "projections", "looking", "FFN", "MB on the tape");
    double worst = 0;
    for (size_t length = 64; length <= 16384; length *= 2) {
        double n = (double)length, guess = a * n + b * n * n;
        char measured[32] = ""; /* what is too long to be measured stays empty */
        Work w = work_of(n);
        if (length <= longest) {
            double bytes = bytes_of(length);
            worst = larger(worst, fabs(bytes / guess - 1));
            snprintf(measured, sizeof measured, "%.6g", bytes / 1e6);
        }
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%s,%.6g,%.6g", length, w.projections, w.looking, w.ffn, measured,
                a * n / 1e6, b * n * n / 1e6);
        printf("%8zu %12.0f %12.0f %12.0f %14.0f\n", length, w.projections, w.looking, w.ffn, guess / 1e6);
    }
    csv_commit(&csv);
    claim(worst < 0.01, "a T + b T^2 from T = 64 and 128 gives the bytes up to T = %zu within %.2g (0.01)",
          longest, worst);
    claim(a / b > 1000 && a / b < 10000, "half of the memory is the square of the length from T = %.0f on",
          a / b);
}

/* --- seconds --- */

enum { SAMPLES = 3, LONGEST = 4096, QUICK_LONGEST = 512 };

/* Milliseconds of one sublayer forward, the shortest of some. */
static double sublayer_ms(Layer sublayer, size_t length) {
    double shortest = INFINITY;
    Tape t = tape_for_inference();
    for (size_t i = 0; i <= SAMPLES; i++) { /* the first one asks for the memory */
        Random random = random_create(length);
        Tensor *x = tape_tensor(&t, 3, (size_t[]){1, length, D_MODEL}, false);
        random_fill_normal(&random, x->data, tensor_size(x), 1);
        double start = clock_processor_seconds();
        sublayer.forward(&t, sublayer.self, x);
        if (i) shortest = smaller(shortest, 1e3 * (clock_processor_seconds() - start));
        tape_reset(&t);
    }
    tape_free(&t);
    return shortest;
}

void experiment_cost_time(const Settings *settings) {
    OneBlock b = one_block(PARAMS_INFER);
    size_t longest = settings->quick ? QUICK_LONGEST : LONGEST;
    Csv csv = csv_begin(settings->out, "08-cost-time", "length,attention_ms,ffn_ms,counted,measured");
    double first = 0, last = 0;
    printf("%8s %14s %8s %28s\n", "length", "attention ms", "FFN ms", "attention/FFN: counted, timed");
    for (size_t length = 256; length <= longest; length *= 2) {
        Work w = work_of((double)length);
        double attention = sublayer_ms(attention_layer(&b.block.attn), length);
        double ffn = sublayer_ms(ffn_layer(&b.block.mlp), length);
        double counted = (w.projections + w.looking) / w.ffn;
        last = attention / ffn;
        if (length == 256) first = last;
        csv_row(&csv, "%zu,%.4g,%.4g,%.4g,%.4g", length, attention, ffn, counted, last);
        printf("%8zu %14.1f %8.1f %20.2f %7.2f\n", length, attention, ffn, counted, last);
    }
    csv_commit(&csv);
    free_block(&b);
    claim(first < 1 && last > 1, "attention takes %.2f of the FFN's time at 256 positions and %.2f at %zu",
          first, last, longest);
}
