/* The cost of a block of the small GPT-2, by part, against the length of the text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/one_block.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

/* Bytes on the tape behind one forward pass that will be followed by a backward pass:
 * measured. */
static double bytes_of(size_t length) {
    OneBlock b = one_block(PARAMS_TRAIN);
    Tape t = tape_create(1);
    Tensor *x = tape_tensor(&t, 3, (size_t[]){1, length, D_MODEL}, true);
    memset(x->data, 0, tensor_size(x) * sizeof(float));
    block_forward(&t, &b.block, attention_layer(&b.block.attn), x);
    double bytes = (double)t.arena.total;
    tape_free(&t);
    one_block_free(&b);
    return bytes;
}

void experiment_cost(const Settings *settings) {
    size_t longest = settings->quick ? 256 : 1024;
    /* bytes = a T + b T^2, from the two shortest lengths */
    double one = bytes_of(64), two = bytes_of(128);
    double b = (two / 128 - one / 64) / 64, a = one / 64 - 64 * b;
    Csv csv = csv_begin(settings->out, "cost",
                        "length,projections,looking,ffn,megabytes,line,square");
    printf("%8s %12s %12s %12s %14s\n", "length", "projections", "looking", "FFN",
           "MB on the tape");
    double worst = 0;
    for (size_t length = 64; length <= 16384; length *= 2) {
        double n = (double)length, guess = a * n + b * n * n;
        char measured[32] = ""; /* empty for lengths that take too long */
        Work w = work_of(n);
        if (length <= longest) {
            double bytes = bytes_of(length);
            worst = larger(worst, fabs(bytes / guess - 1));
            snprintf(measured, sizeof measured, "%.6g", bytes / 1e6);
        }
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%s,%.6g,%.6g", length, w.projections,
                w.looking, w.ffn, measured, a * n / 1e6, b * n * n / 1e6);
        printf("%8zu %12.0f %12.0f %12.0f %14.0f\n", length, w.projections, w.looking,
               w.ffn, guess / 1e6);
    }
    csv_commit(&csv);
    claim(worst < 0.01,
          "a T + b T^2 from T = 64 and 128 gives the bytes up to T = %zu within %.2g "
          "(0.01)",
          longest, worst);
    claim(a / b > 1000 && a / b < 10000,
          "half of the memory is the square of the length from T = %.0f on", a / b);
}
