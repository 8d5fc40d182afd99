/* The cost of a step as the vocabulary grows: the lookup, the one-hot product in its
 * place, the optimizer. */
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/experiments/experiments.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"
#include "base/memory.h"
#include "math/random.h"

enum { N = 64, DIM = 64, FEWEST = 1024, MOST = 65536, SAMPLES = 9, LOOKUPS = 200 };
enum { LOOKUP, PRODUCT, OPTIMIZER, WAYS };

/* One table, and the arrays that the three ways work on. */
typedef struct {
    size_t words;
    int tokens[N];
    Params params;
    Tensor *table;
    AdamW optimizer;
    float *one_hot; /* [N, words] */
    float out[N * DIM], dout[N * DIM];
} Work;

static Work *work_create(size_t words, uint64_t seed) {
    Work *w = checked_alloc(1, sizeof *w);
    *w = (Work){.words = words, .params = {.mode = PARAMS_TRAIN}};
    Random r = random_create(seed);
    w->table = params_add(&w->params, 2, (size_t[]){words, DIM}, "wte.weight");
    w->optimizer = adamw_create(&w->params, 1e-3f, 0);
    w->one_hot = checked_alloc(N * words, sizeof(float));
    random_fill_normal(&r, w->table->data, words * DIM, 0.02f);
    random_fill_normal(&r, w->dout, N * DIM, 1);
    for (size_t i = 0; i < N; i++) {
        w->tokens[i] = (int)random_below(&r, (uint32_t)words);
        w->one_hot[i * words + (size_t)w->tokens[i]] = 1.0f;
    }
    return w;
}

static void work_free(Work *w) {
    adamw_free(&w->optimizer);
    params_free(&w->params);
    free(w->one_hot);
    free(w);
}

//> ways
static void run(Work *w, size_t way) {
    float *table = w->table->data, *dtable = w->table->grad;
    if (way == LOOKUP) {
        embedding_forward(w->out, table, w->tokens, N, DIM);
        embedding_backward(dtable, w->dout, w->tokens, N, DIM, NO_PADDING);
    } else if (way == PRODUCT) {
        matmul(w->out, w->one_hot, table, N, DIM, w->words, false);
        matmul_at_b(dtable, w->one_hot, w->dout, w->words, DIM, N, true);
    } else {
        adamw_step(&w->optimizer, &w->params);
    }
}
//< ways

/* The median of some measurements in one thread, in microseconds: to wake a second one
 * can take longer than the smallest steps. */
static double measure(Work *w, size_t way) {
    double times[SAMPLES];
    size_t calls = way == LOOKUP ? LOOKUPS : 1;
    run(w, way);
    for (size_t s = 0; s < SAMPLES; s++) {
        double start = clock_seconds_of(1);
        for (size_t c = 0; c < calls; c++) run(w, way);
        times[s] = 1e6 * (clock_seconds_of(1) - start) / (double)calls;
    }
    return quantile(times, SAMPLES, 0.5);
}

void experiment_vocabulary(const Settings *settings) {
    double sizes[8], times[WAYS][8];
    size_t n = 0, most = settings->quick ? 4 * FEWEST : MOST;
    threads_use(1);
    Csv csv = csv_begin(settings->out, "vocabulary",
                        "words,rows_touched,table_bytes,one_hot_bytes,adamw_bytes,"
                        "lookup_us,product_us,adamw_us");
    printf("  %7s %12s %12s %12s   microseconds for %d tokens of %d numbers\n", "words",
           "lookup", "one-hot", "AdamW", N, DIM);
    for (size_t words = FEWEST; words <= most; words *= 2, n++) {
        Work *w = work_create(words, settings->seed);
        for (size_t way = 0; way < WAYS; way++) times[way][n] = measure(w, way);
        size_t touched = 0;
        for (size_t row = 0; row < words; row++)
            touched += w->table->grad[row * DIM] != 0;
        size_t bytes = words * DIM * sizeof(float);
        csv_row(&csv, "%zu,%zu,%zu,%zu,%zu,%.4g,%.4g,%.4g", words, touched, bytes,
                N * words * sizeof(float), 4 * bytes, times[LOOKUP][n],
                times[PRODUCT][n], times[OPTIMIZER][n]);
        printf("  %7zu %12.1f %12.0f %12.0f\n", words, times[LOOKUP][n],
               times[PRODUCT][n], times[OPTIMIZER][n]);
        sizes[n] = (double)words;
        work_free(w);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    double lookup = fit_exponent(sizes, times[LOOKUP], n),
           product = fit_exponent(sizes, times[PRODUCT], n),
           optimizer = fit_exponent(sizes, times[OPTIMIZER], n);
    claim(lookup < 0.3, "the lookup's time grows as V^%.2f, expected V^0 (below 0.3)",
          lookup);
    claim(product > 0.7, "the one-hot product's as V^%.2f, expected V^1 (above 0.7)",
          product);
    claim(optimizer > 0.7, "the optimizer's as V^%.2f, expected V^1 (above 0.7)",
          optimizer);
}
