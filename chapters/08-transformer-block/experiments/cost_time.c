/* The time of a block's two sublayers against the length of the text. */
#include <math.h>
#include <stdio.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/one_block.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum { SAMPLES = 3, LONGEST = 4096, QUICK_LONGEST = 512 };

/* Milliseconds of one sublayer forward on one thread's processor, the shortest of
 * some. */
static double sublayer_ms(Layer sublayer, size_t length) {
    double shortest = INFINITY;
    Tape t = tape_for_inference();
    for (size_t i = 0; i <= SAMPLES; i++) { /* the first one asks for the memory */
        Random random = random_create(length);
        Tensor *x = tape_tensor(&t, 3, (size_t[]){1, length, D_MODEL}, false);
        random_fill_normal(&random, x->data, tensor_size(x), 1);
        double start = clock_thread_seconds();
        sublayer.forward(&t, sublayer.self, x);
        if (i) shortest = smaller(shortest, 1e3 * (clock_thread_seconds() - start));
        tape_reset(&t);
    }
    tape_free(&t);
    return shortest;
}

void experiment_cost_time(const Settings *settings) {
    OneBlock b = one_block(PARAMS_INFER);
    size_t longest = settings->quick ? QUICK_LONGEST : LONGEST;
    Csv csv = csv_begin(settings->out, "cost-time",
                        "length,attention_ms,ffn_ms,counted,measured");
    double first = 0, last = 0;
    threads_use(1);
    printf("%8s %14s %8s %28s\n", "length", "attention ms", "FFN ms",
           "attention/FFN: counted, timed");
    for (size_t length = 256; length <= longest; length *= 2) {
        Work w = work_of((double)length);
        double attention = sublayer_ms(attention_layer(&b.block.attn), length);
        double ffn = sublayer_ms(ffn_layer(&b.block.mlp), length);
        double counted = (w.projections + w.looking) / w.ffn;
        last = attention / ffn;
        if (length == 256) first = last;
        csv_row(&csv, "%zu,%.4g,%.4g,%.4g,%.4g", length, attention, ffn, counted, last);
        printf("%8zu %14.1f %8.1f %20.2f %7.2f\n", length, attention, ffn, counted,
               last);
    }
    threads_use(settings->threads);
    csv_commit(&csv);
    one_block_free(&b);
    claim(first < 1 && last > 1,
          "attention takes %.2f of the FFN's time at 256 positions and %.2f at %zu",
          first, last, longest);
}
