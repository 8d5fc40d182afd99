/* Writing with GPT-2 124M in blocks of 8 and 4 bits, laid out: how far a token is from
 * the time that reading its weights takes, if they are multiplied as floats and in
 * whole numbers; and a prompt, which is products more than reading. */
#include <math.h>
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timed_writing.h"
#include "15-speed/machine.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"

enum { MOST_THREADS = 2, ROUNDS = 3 };

/* Seconds of a token, and of reading its weights. */
typedef struct {
    double floats, integers, bound;
    uint32_t last; /* bits of a logit in whole numbers */
} Both;

/* All three take turns, and the quickest of each counts: other programs may compute. */
static Both measure(const Form *form, size_t threads) {
    Both b = {INFINITY, INFINITY, INFINITY, 0};
    for (size_t r = 0; r < ROUNDS; r++) {
        Timed floats = time_writing(form->path, threads, LAID_OUT),
              integers = time_writing(form->path, threads, IN_INTEGERS);
        size_t bytes = (size_t)floats.bytes;
        double bound = floats.bytes / machine_bandwidth(bytes, threads, false);
        b.floats = smaller(b.floats, floats.token);
        b.integers = smaller(b.integers, integers.token);
        b.bound = smaller(b.bound, bound);
        b.last = integers.last;
    }
    return b;
}

/* Prompts take turns as tokens do; of one thread. */
static void measure_prompts(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "integers-prompt",
                        "weights,float_ms,integer_ms,share");
    printf("%7s %9s %9s %7s\n", "prompt", "floats", "integers", "share");
    for (size_t f = Q8_0; f < FORMS; f++) {
        double floats = INFINITY, integers = INFINITY;
        for (size_t r = 0; r < ROUNDS; r++) {
            floats = smaller(floats, time_prompt(forms[f].path, 1, LAID_OUT));
            integers = smaller(integers, time_prompt(forms[f].path, 1, IN_INTEGERS));
        }
        csv_row(&csv, "%s,%.4g,%.4g,%.3g", forms[f].name, 1e3 * floats, 1e3 * integers,
                integers / floats);
        printf("%7s %6.0f ms %6.0f ms %7.2f\n", forms[f].name, 1e3 * floats,
               1e3 * integers, integers / floats);
    }
    csv_commit(&csv);
}

void experiment_integers(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "integers",
                        "weights,threads,bound_ms,float_ms,integer_ms,float_share,"
                        "integer_share,faster");
    double four_bits = 0;
    bool same = true;
    make_form_files(settings);
    printf("%7s %7s %9s %9s %9s %7s %7s %7s\n", "weights", "threads", "bound", "floats",
           "integers", "share", "share", "faster");
    for (size_t f = Q8_0; f < FORMS; f++) {
        Both b[MOST_THREADS + 1];
        for (size_t n = 1; n <= MOST_THREADS; n++) {
            b[n] = measure(&forms[f], n);
            double faster = b[n].floats / b[n].integers;
            if (f == Q4_0 && n == 1) four_bits = faster;
            csv_row(&csv, "%s,%zu,%.4g,%.4g,%.4g,%.3g,%.3g,%.3g", forms[f].name, n,
                    1e3 * b[n].bound, 1e3 * b[n].floats, 1e3 * b[n].integers,
                    b[n].bound / b[n].floats, b[n].bound / b[n].integers, faster);
            printf("%7s %7zu %6.2f ms %6.2f ms %6.2f ms %7.2f %7.2f %7.2f\n",
                   forms[f].name, n, 1e3 * b[n].bound, 1e3 * b[n].floats,
                   1e3 * b[n].integers, b[n].bound / b[n].floats,
                   b[n].bound / b[n].integers, faster);
        }
        same = same && b[1].last == b[MOST_THREADS].last;
    }
    csv_commit(&csv);
    measure_prompts(settings);
    threads_use(settings->threads);
    claim(same, "in whole numbers, too, logits have the same bits for 1 and 2 threads");
    claim(
        four_bits > 1,
        "4 bits, one thread: in whole numbers a token takes 1 / %.2f of its time with "
        "floats (below 1)",
        four_bits);
}
