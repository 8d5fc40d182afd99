/* Writing with GPT-2 124M: how far a token is from the time that reading its weights
 * takes, with floats and with blocks of 8 and 4 bits; what laying the weights out
 * costs, and what it brings. */
#include <math.h>
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timed_writing.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum { MOST_THREADS = 2 };

/* The weights as the file has them, and laid out. */
typedef struct {
    Timed filed, made;
} Both;

static Both measure(Csv *csv, const Form *form, size_t threads) {
    Both b = {time_writing(form->path, threads, AS_FILED),
              time_writing(form->path, threads, LAID_OUT)};
    double bound =
        b.filed.bytes / machine_bandwidth((size_t)b.filed.bytes, threads, false);
    double pays = b.made.prepare / (b.filed.token - b.made.token);
    csv_row(csv, "%s,%zu,%.4g,%.4g,%.4g,%.4g,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g,%.4g,%.4g",
            form->name, threads, 1e-6 * b.filed.bytes, 1e3 * b.filed.token,
            1e3 * b.made.token, 1e3 * bound, bound / b.filed.token,
            bound / b.made.token, b.made.prepare, pays > 0 ? pays : INFINITY,
            b.filed.first, b.made.first, 1e-6 * b.filed.resident,
            1e-6 * b.made.resident);
    printf("%7s %7zu %6.1f ms %6.1f ms %6.1f ms %7.2f %7.2f %8.3f s %10.0f %7.3f s "
           "%7.3f s %4.0f MB %4.0f MB\n",
           form->name, threads, 1e3 * b.filed.token, 1e3 * b.made.token, 1e3 * bound,
           bound / b.filed.token, bound / b.made.token, b.made.prepare,
           pays > 0 ? pays : INFINITY, b.filed.first, b.made.first,
           1e-6 * b.filed.resident, 1e-6 * b.made.resident);
    return b;
}

void experiment_decoding(const Settings *settings) {
    Csv csv = csv_begin(
        settings->out, "decoding",
        "weights,threads,read_mb,filed_ms,prepared_ms,bound_ms,filed_share,prepared_"
        "share,"
        "prepare_s,pays_after,filed_first_s,prepared_first_s,filed_mb,prepared_mb");
    Both b[FORMS][MOST_THREADS + 1];
    bool same = true;
    double longest = 0; /* laid out, over as filed and over one thread */
    make_form_files(settings);
    printf("%7s %7s %9s %9s %9s %7s %7s %10s %10s %9s %9s %7s %7s\n", "weights",
           "threads", "as filed", "laid out", "bound", "share", "share", "laying out",
           "pays after", "1st token", "laid out", "memory", "");
    for (size_t f = 0; f < FORMS; f++) {
        /* brings the file into the system's cache */
        time_writing(forms[f].path, settings->threads, AS_FILED);
        for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
            b[f][threads] = measure(&csv, &forms[f], threads);
            double laid_out = b[f][threads].made.token;
            same = same && b[f][threads].filed.last == b[f][threads].made.last;
            longest = larger(longest, laid_out / smaller(b[f][threads].filed.token,
                                                         b[f][1].made.token));
        }
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(same, "the logits have the same bits with weights as filed and laid out");
    claim(longest < 1.25,
          "laid out, a token takes at most %.2f of its time as filed, and of that with "
          "one thread (below 1.25)",
          longest);
    claim(b[Q4_0][1].made.token < b[F32][1].made.token &&
              b[Q8_0][1].made.token < b[F32][1].made.token,
          "one thread, laid out: blocks of 8 bits write %.1f times as fast as floats, "
          "of 4 bits %.1f times",
          b[F32][1].made.token / b[Q8_0][1].made.token,
          b[F32][1].made.token / b[Q4_0][1].made.token);
}
