/* Writing with GPT-2 124M: what laying the weights out costs, and what it brings. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "13-kv-cache/kv_cache.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/machine.h"
#include "claim.h"
#include "clock.h"
#include "csv.h"
#include "directory.h"
#include "fit.h"
#include "random.h"
#include "resident.h"
#include "threads.h"

enum { PROMPT = 16, TOKENS = 24, MOST_THREADS = 2 };
static const char place[] = "build/15-models/decoding";

/* A checkpoint of random weights, as Hugging Face would lay it out. */
static void make_checkpoint(const Settings *settings) {
    Gpt2Config config = settings->quick ? gpt2_config(512, 64, 2, 4, 128) : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    make_directory("build/15-models");
    Directory *directory = directory_open(place);
    gpt2_save(model, NULL, directory);
    directory_close(directory);
    gpt2_free(model);
}

typedef struct {
    double first, token, prepare,
        resident;  /* seconds: until the first token, for one, for laying out; bytes */
    uint32_t last; /* bits of a logit */
} Timed;

/* Loads the file, reads a prompt and writes: the quickest token counts. */
static Timed time_writing(size_t threads, bool prepared, double *read_bytes) {
    threads_use(threads);
    double before = resident_bytes(), started = clock_seconds();
    Gpt2 *model = gpt2_load(place, PARAMS_MAPPED);
    double loaded = clock_seconds();
    if (prepared) gpt2_prepare(model);
    Timed t = {.token = INFINITY, .prepare = prepared ? clock_seconds() - loaded : 0};
    KvCache cache = kv_cache_create(&model->config, 1, PROMPT + TOKENS);
    Tape tape = tape_for_inference();
    int tokens[PROMPT];
    for (int i = 0; i < PROMPT; i++) tokens[i] = 31 * i % (int)model->config.n_vocab;
    const float *logits = kv_cache_logits(&tape, model, &cache, tokens, PROMPT, (size_t[]){PROMPT});
    t.first = clock_seconds() - started;
    for (int i = 0; i < TOKENS; i++) {
        started = machine_seconds(threads);
        logits = kv_cache_logits(&tape, model, &cache, tokens + i % PROMPT, 1, (size_t[]){1});
        t.token = smaller(t.token, machine_seconds(threads) - started);
    }
    memcpy(&t.last, logits, sizeof t.last);
    t.resident = resident_bytes() - before;
    /* A token needs one row of the positions. */
    *read_bytes = (double)(params_bytes(&model->params) - tensor_size(model->wpe) * sizeof(float));
    kv_cache_free(&cache);
    tape_free(&tape);
    gpt2_free(model);
    return t;
}

void experiment_decoding(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "15-decoding",
                        "threads,filed_ms,prepared_ms,bound_ms,filed_share,prepared_share,prepare_s,"
                        "pays_after,filed_first_s,prepared_first_s,filed_mb,prepared_mb");
    double token[MOST_THREADS + 1] = {0}, filed_token[MOST_THREADS + 1] = {0};
    bool same = true;
    make_checkpoint(settings);
    time_writing(settings->threads, false, &(double){0}); /* brings the file into the system's cache */
    printf("%7s %9s %9s %9s %7s %7s %10s %10s %9s %9s %7s %7s\n", "threads", "as filed", "laid out", "bound",
           "share", "share", "laying out", "pays after", "1st token", "laid out", "memory", "");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
        double bytes, bandwidth = machine_bandwidth((size_t)1 << 29, threads, false);
        Timed filed = time_writing(threads, false, &bytes), made = time_writing(threads, true, &bytes);
        double bound = bytes / bandwidth, pays = made.prepare / (filed.token - made.token);
        token[threads] = made.token, filed_token[threads] = filed.token;
        same = same && filed.last == made.last;
        csv_row(&csv, "%zu,%.4g,%.4g,%.4g,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g,%.4g,%.4g", threads,
                1e3 * filed.token, 1e3 * made.token, 1e3 * bound, bound / filed.token, bound / made.token,
                made.prepare, pays > 0 ? pays : INFINITY, filed.first, made.first, 1e-6 * filed.resident,
                1e-6 * made.resident);
        printf(
            "%7zu %6.1f ms %6.1f ms %6.1f ms %7.2f %7.2f %8.3f s %10.0f %7.3f s %7.3f s %4.0f MB %4.0f MB\n",
            threads, 1e3 * filed.token, 1e3 * made.token, 1e3 * bound, bound / filed.token,
            bound / made.token, made.prepare, pays > 0 ? pays : INFINITY, filed.first, made.first,
            1e-6 * filed.resident, 1e-6 * made.resident);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(same, "the logits have the same bits with weights as filed and laid out");
    claim(
        token[1] < 1.1 * filed_token[1] && token[2] < 1.1 * filed_token[2] && token[2] < 1.1 * token[1],
        "laid out, no token takes longer than as filed, nor longer with two threads than with one (within a "
        "tenth)");
}
