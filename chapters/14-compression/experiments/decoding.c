/* Writing with a model of GPT-2's size: tokens a second, memory and the time to the
 * first token, by codec. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/family.h"
#include "10-gpt2/gguf_model.h"
#include "13-kv-cache/kv_cache.h"
#include "14-compression/coded_model.h"
#include "14-compression/experiments/experiments.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "files/file.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"
#include "base/memory_usage.h"
#include "kernels/threads.h"

enum { PROMPT = 16, TOKENS = 24, LEAST_TOKENS = 4, MOST_THREADS = 2 };

static const char *const codecs[] = {"f32",     "f16",    "q8_0",     "q6_k",
                                     "q4_k",    "q4_0",   "kmeans:4", "svd:4.5",
                                     "dct:177", "rbe:180"};
enum {
    CODECS = sizeof codecs / sizeof *codecs,
    F32 = 0,
    Q8_0 = 2,
    Q4_0 = 5,
    RBE = CODECS - 1
};

/* --- a file of that form --- */

/* The same layer twelve times: the numbers are random, and times do not depend on
 * them. */
static void code_first_layer(Coded *coded, const Codec *codec, double value) {
    const Params *params = &coded->model->params;
    for (size_t i = 0; i < params->n; i++) {
        const Param *p = &params->items[i];
        int layer = 0;
        char rest[64];
        if (!is_coded(p)) continue;
        if (sscanf(p->name, "h.%d.%63s", &layer, rest) != 2 || layer == 0) {
            code_param(coded, i, codec, value, NULL);
            continue;
        }
        size_t first = 0;
        char name[80];
        for (snprintf(name, sizeof name, "h.0.%s", rest);
             strcmp(params->items[first].name, name) != 0;)
            first++;
        Weight w = coded->weights[first];
        void *copy = checked_alloc(weight_bytes(&w), 1);
        memcpy(copy, w.data, weight_bytes(&w));
        w.data = copy;
        coded->weights[i] = w;
        if (gguf_is_transposed(p)) w = weight_transpose(&w);
        params_store(&params->items[i], &w);
    }
}

static void make_file(const char *path, const char *text, Gpt2 *model) {
    Coded coded = coded_begin(model);
    if (strcmp(text, "f32") != 0) {
        double value;
        const Codec *codec = codec_find(text, &value);
        code_first_layer(&coded, codec, value);
    }
    family_save(model, NULL, path);
    coded_undo(&coded);
    memory_usage_trim();
}

/* --- measuring --- */

/* How long it takes to read a byte of an array that no cache holds, as sums of whole
 * numbers. */
static double seconds_a_byte(size_t threads) {
    enum { WORDS = 1 << 26 };
    static uint64_t *array;
    volatile uint64_t sink;
    uint64_t sum = 0;
    if (!array)
        array = memset(checked_aligned_alloc(WORDS, sizeof *array), 1,
                       WORDS * sizeof *array);
    double started = clock_seconds_of(threads);
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < WORDS; i++) sum += array[i];
    sink = sum;
    (void)sink;
    return (clock_seconds_of(threads) - started) / (WORDS * sizeof *array);
}

typedef struct {
    double first, token, byte, resident; /* seconds, seconds, to read one, bytes */
    size_t bytes;
    double bits;
} Timed;

/* Loads the model and lays it out for writing, which a clock on the wall times up to
 * the first token, and writes. Tokens and reading take turns, and the quickest of each
 * counts. */
static Timed time_model(const char *path, size_t threads) {
    const double enough = 1; /* seconds: codecs that are slow write fewer tokens */
    double before = memory_usage_bytes(), started = clock_seconds();
    Gpt2 *model = coded_model_load(path);
    size_t bytes = params_bytes(&model->params);
    gpt2_repack(model);
    KvCache cache = kv_cache_create(&model->config, 1, PROMPT + TOKENS);
    Tape tape = tape_for_inference();
    int tokens[PROMPT];
    for (int i = 0; i < PROMPT; i++) tokens[i] = 31 * i % (int)model->config.n_vocab;
    kv_cache_logits(&tape, model, &cache, tokens, PROMPT, (size_t[]){PROMPT});
    Timed t = {.first = clock_seconds() - started,
               .token = INFINITY,
               .byte = INFINITY,
               .resident = NAN,
               .bytes = bytes};
    t.bits = 8 * (double)t.bytes / (double)params_count(&model->params);
    double begun = clock_seconds();
    for (int i = 0;
         i < TOKENS && (i < LEAST_TOKENS || clock_seconds() - begun < enough); i++) {
        started = clock_seconds_of(threads);
        kv_cache_logits(&tape, model, &cache, tokens + i % PROMPT, 1, (size_t[]){1});
        t.token = smaller(t.token, clock_seconds_of(threads) - started);
        if (i == 0) t.resident = memory_usage_bytes() - before;
        t.byte = smaller(t.byte, seconds_a_byte(threads));
    }
    kv_cache_free(&cache);
    tape_free(&tape);
    gpt2_free(model);
    memory_usage_trim();
    return t;
}

void experiment_decoding(const Settings *settings) {
    static Timed timed[MOST_THREADS + 1][CODECS];
    Csv csv = csv_begin(settings->out, "decoding",
                        "codec,threads,bits,bytes,mb,first_s,tokens_per_s,bound_per_s,"
                        "share,resident_mb");
    printf("%-10s %7s %6s %12s %9s %9s %9s %6s %12s\n", "codec", "threads", "bits",
           "bytes", "first s", "tokens/s", "bound", "share", "resident");
    make_directory("build/14-models");
    Gpt2Config config =
        settings->quick ? gpt2_config(512, 64, 2, 4, 128) : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    for (size_t c = 0; c < CODECS; c++) {
        bool gguf =
            c == F32 || gguf_has_type(codec_find(codecs[c], &(double){0})->type);
        const char *path =
            gguf ? "build/14-models/decoding.gguf" : "build/14-models/decoding";
        threads_use(settings->threads);
        make_file(path, codecs[c], model);
        for (size_t n = 1; n <= MOST_THREADS; n++) {
            threads_use(n);
            Timed *t = &timed[n][c];
            *t = time_model(path, n);
            double bound = (double)t->bytes * t->byte;
            csv_row(&csv, "%s,%zu,%.6g,%zu,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g", codecs[c], n,
                    t->bits, t->bytes, 1e-6 * (double)t->bytes, t->first, 1 / t->token,
                    1 / bound, bound / t->token, 1e-6 * t->resident);
            printf("%-10s %7zu %6.2f %12zu %9.3f %9.1f %9.1f %6.2f %12.0f\n", codecs[c],
                   n, t->bits, t->bytes, t->first, 1 / t->token, 1 / bound,
                   bound / t->token, t->resident);
        }
        threads_use(settings->threads);
    }
    gpt2_free(model);
    csv_commit(&csv);
    const Timed *t = timed[1];
    claim(t[Q4_0].token < t[F32].token && t[Q8_0].token < t[F32].token,
          "one thread: Q8_0 writes %.1f times as fast as floats, Q4_0 %.1f times",
          t[F32].token / t[Q8_0].token, t[F32].token / t[Q4_0].token);
    claim(t[RBE].token > t[Q4_0].token,
          "RBE of Q4_0's size takes %.1f times Q4_0's time for a token",
          t[RBE].token / t[Q4_0].token);
}
