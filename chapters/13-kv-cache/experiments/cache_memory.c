/* Memory of a cache: what the system has given to the program for it, by the number of
 * tokens written, beside the formula; with a window, and for several texts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "13-kv-cache/bench.h"
#include "13-kv-cache/experiments/experiments.h"
#include "13-kv-cache/kv_append.h"
#include "13-kv-cache/kv_cache.h"
#include "13-kv-cache/sink_window.h"
#include "base/memory.h"
#include "base/memory_usage.h"
#include "files/csv.h"
#include "math/random.h"
#include "program/claim.h"

/* Writes tokens from .. to - 1 of every row and layer; qkv is one token's. */
static void write_tokens(KvCache *c, const float *qkv, size_t from, size_t to) {
    size_t dim = c->n_head * c->head_dim, rows = c->n_layer * c->batch;
    for (size_t r = 0; r < rows; r++) {
        float *keys = c->keys + r * c->capacity * dim,
              *values = c->values + r * c->capacity * dim;
        for (size_t t = from; t < to; t++) {
            size_t slot = c->window ? sink_slot(t, c->n_sink, c->window) : t;
            kv_append(keys, qkv + dim, 1, 3 * dim, c->n_head, c->head_dim, c->capacity,
                      slot);
            kv_append(values, qkv + 2 * dim, 1, 3 * dim, c->n_head, c->head_dim,
                      c->capacity, slot);
        }
    }
}

typedef struct {
    Csv csv;
    const float *qkv; /* [3 * d_model] */
    double most_over; /* taken beyond the formula, in pages a head */
} Measured;

/* Fills the cache step by step and logs what it has taken after each. */
static void fill(Measured *m, const char *kind, KvCache c, double before, size_t step) {
    size_t dim = c.n_head * c.head_dim;
    for (size_t t = 0; t < c.longest; t += step) {
        write_tokens(&c, m->qkv, t, t + step);
        size_t held = c.window ? sink_held(t + step, c.n_sink, c.window) : t + step;
        double taken = memory_usage_bytes() - before,
               formula = (double)(2 * c.n_layer * c.batch * held * dim * sizeof(float));
        csv_row(&m->csv, "%s,%zu,%zu,%.0f,%.0f,%.3g", kind, c.batch,
                c.batch * (t + step), taken, formula, taken / formula - 1);
        printf("%-8s %6zu %9zu %15.0f %15.0f\n", kind, c.batch, c.batch * (t + step),
               taken, formula);
        double heads = (double)(2 * c.n_layer * c.batch * c.n_head);
        m->most_over = fmax(m->most_over, fabs(taken - formula) / (4096 * heads));
    }
    kv_cache_free(&c);
    memory_usage_trim();
}

void experiment_cache_memory(const Settings *settings) {
    enum { STEP = 128, N_SINK = 4, WINDOW = 252, MOST_TEXTS = 8 };
    Gpt2Config config = gpt2_named_config("gpt2");
    size_t n_ctx = config.n_ctx, most = settings->quick ? 2 : MOST_TEXTS;
    float *qkv = checked_alloc(3 * config.block.d_model, sizeof *qkv);
    Random random = random_create(settings->seed);
    random_fill_normal(&random, qkv, 3 * config.block.d_model, 1.0f);
    Measured m = {.csv =
                      csv_begin(settings->out, "cache-memory",
                                "kind,texts,tokens,resident_bytes,formula_bytes,over"),
                  .qkv = qkv};
    printf("%-8s %6s %9s %15s %15s\n", "kind", "texts", "tokens", "resident",
           "formula");
    double before = memory_usage_bytes();
    fill(&m, "whole", kv_cache_create(&config, 1, n_ctx), before, STEP);
    before = memory_usage_bytes();
    fill(&m, "window", kv_cache_create_window(&config, 1, N_SINK, WINDOW), before,
         STEP);
    for (size_t texts = 2; texts <= most; texts *= 2) {
        before = memory_usage_bytes();
        fill(&m, "whole", kv_cache_create(&config, texts, n_ctx), before, n_ctx);
    }
    csv_commit(&m.csv);
    if (!isnan(before))
        claim(m.most_over < 2,
              "the memory taken is that of the formula to within %.2f pages of 4096 "
              "bytes a head",
              m.most_over);
    free(qkv);
}
