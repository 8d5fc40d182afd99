/* The cost of a norm: parameters, operations and bytes counted, time measured. */
#include <stdio.h>
#include <stdlib.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/norm.h"
#include "03-rmsnorm/rmsnorm.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"

/* The counts of one forward pass over one row of d, from the formulas. A sum of n
 * numbers is n - 1 additions. */
typedef struct {
    const char *name;
    size_t parameters, additions, products, bytes;
} Cost;

static Cost count_cost(const char *name, size_t d) {
    Params params = {.mode = PARAMS_TRAIN};
    Norm n = norm_create(&params, norm_kind(name), d, 1e-5f, "norm");
    Cost c = {.name = name, .parameters = params_count(&params)};
    /* Both square, and multiply by 1 / root and by the gain. Both read the row and
     * write the output. */
    c.products = 3 * d;
    c.bytes = 2 * d * sizeof(float);
    c.additions = d - 1; /* the sum of squares */
    /* the mean, x - mean twice, the bias */
    if (n.kind == NORM_LAYER) c.additions += (d - 1) + d + d + d;
    norm_free(&n);
    params_free(&params);
    return c;
}

void show_costs(size_t dim) {
    Cost costs[2] = {count_cost("layer", dim), count_cost("rms", dim)};
    printf("\nOne forward pass over a row of %zu:\n\nnorm    parameters  additions  "
           "products  bytes read and "
           "written\n",
           dim);
    for (size_t i = 0; i < 2; i++) {
        printf("%-6s %11zu %10zu %9zu %23zu\n", costs[i].name, costs[i].parameters,
               costs[i].additions, costs[i].products, costs[i].bytes);
    }
}

/* --- time --- */

enum { SHORTEST = 64, LONGEST = 8192 };

/* The arrays that both norms work on, of `size` numbers, cut into rows of dim. */
typedef struct {
    size_t size, dim;
    float *x, *out, *dout, *dx; /* [size] */
    float *mean, *scale;        /* a row's statistics */
    float *parameters; /* gain, bias and their gradients, of up to LONGEST each */
} Work;

static Work work_create(size_t size, uint64_t seed) {
    Work w = {.size = size};
    Random random = random_create(seed);
    w.x = checked_alloc(4 * size, sizeof(float));
    w.out = w.x + size;
    w.dout = w.out + size;
    w.dx = w.dout + size;
    w.mean = checked_alloc(2 * (size / SHORTEST), sizeof(float));
    w.scale = w.mean + size / SHORTEST;
    w.parameters = checked_alloc(4 * LONGEST, sizeof(float));
    random_fill_normal(&random, w.x, size, 1);
    random_fill_normal(&random, w.dout, size, 1);
    random_fill_normal(&random, w.parameters, 2 * LONGEST, 1);
    return w;
}

static void work_free(Work *w) {
    free(w->x);
    free(w->mean);
    free(w->parameters);
}

static void run_norm(Work *w, NormKind kind, bool backward) {
    float *gain = w->parameters, *bias = gain + LONGEST, *dgain = bias + LONGEST,
          *dbias = dgain + LONGEST;
    size_t rows = w->size / w->dim;
    if (kind == NORM_LAYER) {
        layernorm_forward(w->out, w->mean, w->scale, w->x, gain, bias, rows, w->dim,
                          1e-5f);
        if (backward)
            layernorm_backward(w->dx, dgain, dbias, w->dout, w->x, w->mean, w->scale,
                               gain, rows, w->dim);
    } else {
        rmsnorm_forward(w->out, w->scale, w->x, gain, rows, w->dim, 1e-5f);
        if (backward)
            rmsnorm_backward(w->dx, dgain, w->dout, w->x, w->scale, gain, rows, w->dim);
    }
}

/* Medians over `samples` pairs of measurements, one of each norm right after the other,
 * so that the machine's other work hits both alike. */
typedef struct {
    /* nanoseconds per row; the median of rms / layer within a pair */
    double layer, rms, ratio;
} Times;

enum { MAX_SAMPLES = 101 };

static Times measure(Work *w, bool backward, size_t samples, size_t calls) {
    double seconds[2][MAX_SAMPLES], ratios[MAX_SAMPLES];
    const NormKind kinds[2] = {NORM_LAYER, NORM_RMS};
    for (size_t s = 0; s < samples; s++) {
        for (size_t turn = 0; turn < 2; turn++) {
            size_t k = (s + turn) % 2; /* each is first every other time */
            double start = clock_seconds();
            for (size_t c = 0; c < calls; c++) run_norm(w, kinds[k], backward);
            seconds[k][s] = clock_seconds() - start;
        }
        ratios[s] = seconds[1][s] / seconds[0][s];
    }
    double per_row = 1e9 / (double)calls / (double)(w->size / w->dim);
    return (Times){quantile(seconds[0], samples, 0.5) * per_row,
                   quantile(seconds[1], samples, 0.5) * per_row,
                   quantile(ratios, samples, 0.5)};
}

/* All lengths of rows, in arrays of `size` numbers. Returns the geometric mean of the
 * ratios. */
static double measure_lengths(Csv *csv, const char *from, size_t size, bool backward,
                              size_t samples, size_t calls, uint64_t seed) {
    double ratios[8];
    size_t n = 0;
    Work w = work_create(size, seed);
    for (w.dim = SHORTEST; w.dim <= LONGEST; w.dim *= 2) {
        run_norm(&w, NORM_LAYER, backward);
        run_norm(&w, NORM_RMS, backward);
        Times t = measure(&w, backward, samples, calls);
        csv_row(csv, "%s,%s,%zu,%.4g,%.4g,%.3f", from, backward ? "both" : "forward",
                w.dim, t.layer, t.rms, t.ratio);
        printf("%-7s %-8s %5zu %12.0f %12.0f %8.2f\n", from,
               backward ? "both" : "forward", w.dim, t.layer, t.rms, t.ratio);
        ratios[n++] = t.ratio;
    }
    work_free(&w);
    return geometric_mean(ratios, n);
}

void experiment_time(const Settings *settings) {
    /* Arrays of 64 KB stay in a core's cache; of 32 MB, they come from memory. One
     * thread for both, so that only the place differs. */
    const size_t small = (size_t)1 << 14,
                 large = (size_t)1 << (settings->quick ? 20 : 23);
    const size_t samples = settings->quick ? 21 : MAX_SAMPLES,
                 large_samples = settings->quick ? 3 : 9;
    double ratio[2][2];
    Csv csv = csv_begin(settings->out, "time", "from,pass,dim,layer_ns,rms_ns,ratio");
    threads_use(1);
    printf("%-7s %-8s %5s %12s %12s %8s\n", "from", "pass", "d", "LN ns/row",
           "RMS ns/row", "ratio");
    for (int backward = 0; backward < 2; backward++) {
        ratio[0][backward] = measure_lengths(&csv, "cache", small, backward, samples,
                                             20, settings->seed);
        ratio[1][backward] = measure_lengths(&csv, "memory", large, backward,
                                             large_samples, 1, settings->seed);
    }
    threads_use(settings->threads);
    csv_commit(&csv);
    Cost layer = count_cost("layer", LONGEST), rms = count_cost("rms", LONGEST);
    size_t layer_operations = layer.additions + layer.products,
           rms_operations = rms.additions + rms.products;
    claim(layer_operations == 2 * rms_operations && layer.bytes == rms.bytes,
          "RMSNorm needs half of LayerNorm's operations (%zu, %zu for d = %d) and "
          "moves the same bytes",
          rms_operations, layer_operations, LONGEST);
    claim(ratio[0][0] < 1.1 && ratio[0][1] < 1.1,
          "in the cache it takes %.2f of LayerNorm's time forward, %.2f with backward "
          "(means over d), below "
          "1.1",
          ratio[0][0], ratio[0][1]);
    claim(ratio[1][0] < 1.1 && ratio[1][1] < 1.1,
          "from memory %.2f and %.2f, below 1.1", ratio[1][0], ratio[1][1]);
}
