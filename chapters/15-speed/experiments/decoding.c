/* Writing with GPT-2 124M: how far a token is from the time that reading its weights
 * takes, with floats and with blocks of 8 and 4 bits; what laying the weights out
 * costs, and what it brings. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "13-kv-cache/kv_cache.h"
#include "14-compression/coded_model.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "checkpoints/directory.h"
#include "math/fit.h"
#include "math/random.h"
#include "base/resident.h"
#include "kernels/threads.h"

enum { PROMPT = 16, TOKENS = 24, MOST_THREADS = 2 };

/* What the weights are stored as, in a file of that form. */
typedef struct {
    const char *name, *path;
} Form;

static const Form forms[] = {{"f32", "build/15-models/decoding"},
                             {"q8_0", "build/15-models/decoding-q8_0.gguf"},
                             {"q4_0", "build/15-models/decoding-q4_0.gguf"}};
enum { F32, Q8_0, Q4_0, FORMS };

/* Random weights: times do not depend on them. */
static void make_files(const Settings *settings) {
    Gpt2Config config =
        settings->quick ? gpt2_config(512, 64, 2, 4, 128) : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    make_directory("build/15-models");
    for (size_t f = 0; f < FORMS; f++) {
        Coded coded = coded_begin(model);
        double value;
        if (f != F32)
            code_model(&coded, codec_find(forms[f].name, &value), value, NULL, NULL);
        coded_model_save(model, NULL, forms[f].path);
        coded_undo(&coded);
    }
    gpt2_free(model);
}

/* Seconds: until the first token, for one, for laying out. Bytes: in memory, and that a
 * token reads. */
typedef struct {
    double first, token, prepare, resident, bytes;
    uint32_t last; /* bits of a logit */
} Timed;

/* Loads the file, reads a prompt and writes: the quickest token counts. */
static Timed time_writing(const char *path, size_t threads, bool prepared) {
    threads_use(threads);
    double before = resident_bytes(), started = clock_seconds();
    Gpt2 *model = coded_model_load(path);
    double loaded = clock_seconds();
    /* A token needs one row of the positions. */
    Timed t = {.token = INFINITY,
               .bytes = (double)(params_bytes(&model->params) -
                                 tensor_size(model->wpe) * sizeof(float))};
    if (prepared) {
        gpt2_prepare(model);
        t.prepare = clock_seconds() - loaded;
    }
    KvCache cache = kv_cache_create(&model->config, 1, PROMPT + TOKENS);
    Tape tape = tape_for_inference();
    int tokens[PROMPT];
    for (int i = 0; i < PROMPT; i++) tokens[i] = 31 * i % (int)model->config.n_vocab;
    const float *logits =
        kv_cache_logits(&tape, model, &cache, tokens, PROMPT, (size_t[]){PROMPT});
    t.first = clock_seconds() - started;
    for (int i = 0; i < TOKENS; i++) {
        started = clock_seconds_of(threads);
        logits = kv_cache_logits(&tape, model, &cache, tokens + i % PROMPT, 1,
                                 (size_t[]){1});
        t.token = smaller(t.token, clock_seconds_of(threads) - started);
    }
    memcpy(&t.last, logits, sizeof t.last);
    t.resident = resident_bytes() - before;
    kv_cache_free(&cache);
    tape_free(&tape);
    gpt2_free(model);
    resident_trim();
    return t;
}

/* The weights as the file has them, and laid out. */
typedef struct {
    Timed filed, made;
} Both;

static Both measure(Csv *csv, const Form *form, size_t threads) {
    Both b = {time_writing(form->path, threads, false),
              time_writing(form->path, threads, true)};
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
        settings->out, "15-decoding",
        "weights,threads,read_mb,filed_ms,prepared_ms,bound_ms,filed_share,prepared_"
        "share,"
        "prepare_s,pays_after,filed_first_s,prepared_first_s,filed_mb,prepared_mb");
    Both b[FORMS][MOST_THREADS + 1];
    bool same = true;
    double longest = 0; /* laid out, over as filed and over one thread */
    make_files(settings);
    printf("%7s %7s %9s %9s %9s %7s %7s %10s %10s %9s %9s %7s %7s\n", "weights",
           "threads", "as filed", "laid out", "bound", "share", "share", "laying out",
           "pays after", "1st token", "laid out", "memory", "");
    for (size_t f = 0; f < FORMS; f++) {
        time_writing(forms[f].path, settings->threads,
                     false); /* brings the file into the system's cache */
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
