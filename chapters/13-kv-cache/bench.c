/* Time and memory with and without the cache: see bench.h. */
#include "13-kv-cache/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "13-kv-cache/kv_cache.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "base/error.h"
#include "base/size.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "program/progress.h"
#include "math/random.h"

/* A time is the median of so many tokens in a row; a long one is taken once. */
enum { REPETITIONS = 5 };

/* Of a longer context only so much is timed: without the cache, the time of a token
 * grows at least as its position. */
enum { MOST_TOKENS = 1024 };
static const double long_enough = 0.05;

typedef struct {
    size_t position; /* tokens that are there when the next one is asked for */
    double with, without, difference;
} Timed;

/* The largest difference, divided by the largest of b [n] if that is above 1: the
 * rounding of floats grows with their size. */
static double scaled_difference(const float *a, const float *b, size_t n) {
    double scale = 1;
    for (size_t i = 0; i < n; i++) scale = larger(scale, fabs((double)b[i]));
    return largest_difference(a, b, n) / scale;
}

/* Times the last REPETITIONS tokens up to the position, one after the other; where
 * there are not so many, the one at the position again and again. Its logits. */
static const float *time_cached(Timed *at, CachedModel *m, const int *tokens) {
    double seconds[REPETITIONS];
    size_t p = at->position;
    LanguageModel lm = cached_model(m);
    const float *logits = NULL;
    for (size_t i = 0; i < REPETITIONS; i++) {
        size_t n = p > REPETITIONS ? p - REPETITIONS + 1 + i : p;
        if (n == 1) kv_cache_clear(&m->cache);
        if (n > 1 && m->cache.length[0] != n - 1)
            lm.next_logits(lm.self, tokens, n - 1);
        double started = clock_seconds();
        logits = lm.next_logits(lm.self, tokens, n);
        seconds[i] = clock_seconds() - started;
    }
    at->with = quantile(seconds, REPETITIONS, 0.5);
    return logits;
}

static const float *time_plain(Timed *at, PlainModel *m, const int *tokens) {
    double seconds[REPETITIONS] = {0};
    LanguageModel lm = plain_model(m);
    const float *logits = NULL;
    size_t n = 0;
    do {
        double started = clock_seconds();
        logits = lm.next_logits(lm.self, tokens, at->position);
        seconds[n++] = clock_seconds() - started;
    } while (n < REPETITIONS && seconds[0] < long_enough);
    at->without = quantile(seconds, n, 0.5);
    return logits;
}

/* The positions, from 1 to n_ctx: each is the same multiple of the one before, or the
 * next one where that is too little. */
static void set_positions(Timed *times, size_t n_positions, size_t n_ctx) {
    double span = log_double((double)n_ctx) / (double)(n_positions - 1);
    for (size_t i = 0; i < n_positions; i++) {
        size_t position = (size_t)(exp_double(span * (double)i) + 0.5);
        size_t next = i ? times[i - 1].position + 1 : 1;
        times[i].position = position > next ? position : next;
    }
}

static void time_positions(Timed *times, size_t n_positions, const Gpt2 *model) {
    size_t n_ctx = size_min(model->config.n_ctx, MOST_TOKENS),
           n_vocab = model->config.n_vocab;
    int *tokens = checked_alloc(n_ctx, sizeof *tokens);
    Random random = random_create(1);
    for (size_t i = 0; i < n_ctx; i++)
        tokens[i] = (int)random_below(&random, (uint32_t)n_vocab);
    CachedModel cached =
        cached_model_create(model, kv_cache_create(&model->config, 1, n_ctx));
    PlainModel plain = plain_model_create(model);
    /* Twice without a clock: the first pass over a text takes the memory for it from
     * the system, and before the second the tape joins its blocks to a new one. */
    for (int pass = 0; pass < 2; pass++) {
        plain_model(&plain).next_logits(&plain, tokens, n_ctx);
        cached_model(&cached).next_logits(&cached, tokens, n_ctx);
    }
    set_positions(times, n_positions, n_ctx);
    Progress bar = progress_begin("timing", n_positions);
    for (size_t i = 0; i < n_positions; i++) {
        const float *without = time_plain(&times[i], &plain, tokens);
        times[i].difference = scaled_difference(time_cached(&times[i], &cached, tokens),
                                                without, n_vocab);
        progress_update(&bar, i + 1, "position %zu", times[i].position);
    }
    progress_end(&bar);
    cached_model_free(&cached);
    plain_model_free(&plain);
    free(tokens);
}

/* Seconds for all tokens from position 1 to the last, by the trapezoid rule. */
static void add_up(const Timed *times, size_t n, double *with, double *without) {
    *with = times[0].with;
    *without = times[0].without;
    for (size_t i = 1; i < n; i++) {
        double half = (double)(times[i].position - times[i - 1].position) / 2;
        *with += half * (times[i].with + times[i - 1].with);
        *without += half * (times[i].without + times[i - 1].without);
    }
}

static void print_times(const Timed *times, size_t n) {
    printf("%9s %14s %17s %8s\n", "position", "with cache", "without (ms/token)",
           "ratio");
    size_t step = n > 17 ? (n + 15) / 16 : 1;
    for (size_t i = 0; i < n; i++) {
        if ((n - 1 - i) % step != 0 && i != 0) continue;
        printf("%9zu %14.3f %17.3f %8.1f\n", times[i].position, 1e3 * times[i].with,
               1e3 * times[i].without, times[i].without / times[i].with);
    }
}

/* Floats of a token's keys (or values) in a layer. */
static size_t kv_width(const Gpt2Config *config) {
    const BlockConfig *b = &config->block;
    return b->d_model / b->n_head * (b->n_kv_head ? b->n_kv_head : b->n_head);
}

size_t formula_bytes(const Gpt2Config *config, size_t tokens) {
    return 2 * config->n_layer * tokens * kv_width(config) * sizeof(float);
}

void bench_cache(const Gpt2 *model, size_t n_positions, const char *out,
                 const char *name, double least_ratio) {
    const Gpt2Config *config = &model->config;
    size_t n_ctx = size_min(config->n_ctx, MOST_TOKENS);
    size_t most = n_ctx / 2 + 1; /* of more of them two would be the same */
    if (n_positions > most) n_positions = most;
    if (n_positions < 2)
        die("bench: %zu positions of %zu, expected at least 2", n_positions, n_ctx);
    Timed *times = checked_alloc(n_positions, sizeof *times);
    time_positions(times, n_positions, model);
    Csv csv =
        csv_begin(out, name, "position,with_cache_ms,without_cache_ms,cache_bytes");
    double worst = 0, with, without;
    for (size_t i = 0; i < n_positions; i++) {
        csv_row(&csv, "%zu,%.4g,%.4g,%zu", times[i].position, 1e3 * times[i].with,
                1e3 * times[i].without, formula_bytes(config, times[i].position));
        worst = larger(worst, times[i].difference);
    }
    csv_commit(&csv);
    print_times(times, n_positions);
    add_up(times, n_positions, &with, &without);
    printf("the cache takes %zu bytes = 2 * %zu layers * %zu tokens * %zu * 4\n",
           formula_bytes(config, n_ctx), config->n_layer, n_ctx, kv_width(config));
    claim(worst < 1e-5,
          "at %zu positions the same logits with and without the cache, within 1e-5 "
          "(of the largest, where it is above 1)",
          n_positions);
    printf("%zu tokens (trapezoid rule over %zu positions): %.2f s with the cache, "
           "%.2f s without\n",
           n_ctx, n_positions, with, without);
    char total[100];
    snprintf(total, sizeof total, "%s-total", name);
    csv = csv_begin(out, total,
                    "tokens,with_cache_s,without_cache_s,ratio,first_in_rows");
    /* One more row of a long pass takes the slope; how many of them the first one? */
    double first = times[0].without,
           row = (times[n_positions - 1].without - first) / (double)(n_ctx - 1);
    csv_row(&csv, "%zu,%.4g,%.4g,%.3g,%.3g", n_ctx, with, without, without / with,
            first / row);
    csv_commit(&csv);
    double last = times[n_positions - 1].without / times[n_positions - 1].with;
    if (least_ratio > 0) {
        claim(without / with >= least_ratio,
              "%zu tokens with the cache: %.1f times faster, at least %g times", n_ctx,
              without / with, least_ratio);
        claim(last >= least_ratio, "token %zu: %.1f times faster, at least %g times",
              n_ctx, last, least_ratio);
    } else {
        printf(
            "the cache is %.1f times faster for all of them, %.1f times for the last\n",
            without / with, last);
    }
    free(times);
}
