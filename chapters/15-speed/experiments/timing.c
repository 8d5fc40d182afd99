/* Times, in turn: see timing.h. */
#include "15-speed/experiments/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "math/fit.h"
#include "base/memory.h"
#include "kernels/matmul.h"
#include "math/random.h"
#include "kernels/threads.h"

static float *some_floats(size_t n) {
    float *x = checked_aligned_alloc(n, sizeof *x);
    Random r = random_create(n);
    for (size_t i = 0; i < n; i++) x[i] = random_float(&r) - 0.5f;
    return x;
}

Operands operands_create(size_t m, size_t n, size_t k) {
    Operands o = {m,   n, k, some_floats(m * k), some_floats(k * n), some_floats(m * n),
                  NULL};
    o.panels = checked_aligned_alloc(product_prepared_size(n, k), sizeof *o.panels);
    product_prepare(o.panels, o.b, n, k);
    return o;
}

void operands_free(Operands *o) {
    free(o->a);
    free(o->b);
    free(o->c);
    free(o->panels);
}

double operands_flop(const Operands *o) {
    return 2.0 * (double)o->m * (double)o->n * (double)o->k;
}

void product_common(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    matmul(c, a, b, m, n, k, true);
}

static size_t rows_of(const Contender *c, const Operands *o) {
    return c->rows > 0 && c->rows < o->m ? c->rows : o->m;
}

double contender_rate(const Contender *c, const Operands *o) {
    return operands_flop(o) * (double)rows_of(c, o) / (double)o->m / c->seconds;
}

/* C is added to again and again, and must not grow until it is no number. */
static double turn(const Contender *c, const Operands *o, size_t threads) {
    /* several have slept and must wake up first */
    const double at_least = threads == 1 ? 1e-3 : 2e-2;
    size_t repeats = 0;
    double seconds;
    memset(o->c, 0, o->m * o->n * sizeof *o->c);
    double started = clock_seconds_of(threads);
    do {
        c->run(o->c, o->a, c->prepared ? o->panels : o->b, rows_of(c, o), o->n, o->k);
        repeats++;
        seconds = clock_seconds_of(threads) - started;
    } while (seconds < at_least);
    return seconds / (double)repeats;
}

void timing_take_turns(Contender *c, size_t n, const Operands *o, size_t threads,
                       size_t turns) {
    threads_use(threads);
    for (size_t i = 0; i < n; i++) c[i].seconds = INFINITY;
    for (size_t t = 0; t < turns; t++) {
        threads_spread(threads);
        for (size_t i = 0; i < n; i++)
            c[i].seconds = smaller(c[i].seconds, turn(&c[i], o, threads));
    }
}

static double work_turn(Work *run, size_t threads) {
    double started = clock_seconds_of(threads);
    run();
    return clock_seconds_of(threads) - started;
}

void timing_work(double *seconds, Work *const *run, size_t n, size_t threads,
                 size_t turns) {
    const double enough = 1; /* what takes longer is hardly quicker another time */
    threads_use(threads);
    threads_spread(threads);
    for (size_t i = 0; i < n; i++) seconds[i] = INFINITY;
    for (size_t t = 0; t < turns; t++) {
        for (size_t i = 0; i < n; i++) {
            if (t == 0 || seconds[i] < enough)
                seconds[i] = smaller(seconds[i], work_turn(run[i], threads));
        }
    }
}
