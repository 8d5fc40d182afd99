/* The one file beside the course: see one_file.h. */
#include "17-one-file/one_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/ids.h"
#include "13-kv-cache/kv_cache.h"
#include "17-one-file/gpt2.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "files/file.h"

enum { REPEATS = 3 };

/* --- models --- */

OneFileModel one_file_random(size_t d_model, uint64_t seed) {
    char path[64];
    snprintf(path, sizeof path, "build/one-file/random-%zu", d_model);
    Gpt2Config config = gpt2_config(512, 64, 4, 4, d_model);
    config.init_std = 0.1f; /* large enough for attention to matter */
    Random init = random_create(seed);
    OneFileModel m = {checked_strdup(path), gpt2_create(&config, PARAMS_INFER, &init)};
    make_directory("build/one-file");
    Directory *d = directory_open(path);
    gpt2_save(m.model, NULL, d);
    directory_commit(d);
    directory_close(d);
    return m;
}

OneFileModel one_file_model(const char *directory, uint64_t seed) {
    if (!directory) return one_file_random(128, seed);
    return (OneFileModel){checked_strdup(directory),
                          gpt2_load(directory, PARAMS_MAPPED)};
}

void one_file_model_free(OneFileModel *m) {
    gpt2_free(m->model);
    free((char *)m->directory);
    *m = (OneFileModel){0};
}

/* --- the program --- */

static char *ids_text(const int *ids, size_t n) {
    char *text = checked_alloc(12 * n + 1, 1), *at = text;
    for (size_t i = 0; i < n; i++) at += sprintf(at, i ? ",%d" : "%d", ids[i]);
    return text;
}

static void show(FILE *file) {
    char line[200];
    rewind(file);
    while (fgets(line, sizeof line, file)) fputs(line, stderr);
}

/* A page may say how fast it was: what is on standard error is shown if it failed. */
char *program_output(char *const words[], double *seconds) {
    int ends[2], status;
    double started = clock_seconds();
    FILE *said = tmpfile();
    if (!said || pipe(ends) != 0) die("no pipe to run %s", words[0]);
    pid_t child = fork();
    if (child < 0) die("cannot start %s", words[0]);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(fileno(said), STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    size_t n = 0, room = 1 << 16;
    char *text = checked_alloc(room, 1);
    for (ssize_t got; (got = read(ends[0], text + n, room - n - 1)) > 0;) {
        n += (size_t)got;
        if (room - n < 1 << 12) text = checked_realloc(text, room *= 2, 1);
    }
    text[n] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    *seconds = clock_seconds() - started;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        show(said);
        die("%s %s did not end well", words[0], words[1]);
    }
    fclose(said);
    return text;
}

/* The program's output; `logits` may be NULL. *seconds: from its start to its end. */
static char *output_of(const char *directory, const char *ids, size_t n_new,
                       const char *logits, double *seconds) {
    char count[24];
    snprintf(count, sizeof count, "%zu", n_new);
    char *const words[] = {(char *)gpt2_program,
                           (char *)directory,
                           "--ids",
                           (char *)ids,
                           "-n",
                           count,
                           logits ? "--logits" : NULL,
                           (char *)logits,
                           NULL};
    return program_output(words, seconds);
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Of a token: a whole run less one that writes a single token, both the shortest. */
static double seconds_of(const char *directory, const char *ids, size_t n_new,
                         size_t written) {
    double whole = 1e9, first = 1e9;
    for (size_t i = 0; i < REPEATS; i++) {
        double seconds;
        free(output_of(directory, ids, n_new, NULL, &seconds));
        whole = least(whole, seconds);
        free(output_of(directory, ids, 1, NULL, &seconds));
        first = least(first, seconds);
    }
    return written > 1 ? (whole - first) / (double)(written - 1) : 0;
}

size_t logits_rows(const char *source, size_t bytes, const Gpt2Config *config,
                   size_t n_ids) {
    size_t row = config->n_vocab * sizeof(float), rows = bytes / row;
    if (bytes % row)
        die("%s: the file of logits has %zu bytes, expected rows of %zu floats", source,
            bytes, config->n_vocab);
    if ((rows != n_ids && rows + 1 != n_ids) || rows > config->n_ctx)
        die("%s: the logits have %zu rows, %zu ids were written: expected %zu rows%s",
            source, rows, n_ids, n_ids - 1,
            n_ids > config->n_ctx ? "" : ", or as many as ids");
    return rows;
}

OneFileRun one_file_run(const OneFileModel *m, const int *prompt, size_t n_prompt,
                        size_t n_new) {
    OneFileRun run = {0};
    double seconds;
    size_t bytes;
    char path[64], *ids = ids_text(prompt, n_prompt);
    snprintf(path, sizeof path, "build/one-file/logits-%ld", (long)getpid());
    expect_writable("build/one-file");
    char *text = output_of(m->directory, ids, n_new, path, &seconds);
    text[strcspn(text, "\n")] = 0;
    run.ids = ids_parse(gpt2_program, text, 1 << 24, &run.n);
    run.logits = (float *)file_read(path, &bytes);
    remove(path);
    run.rows = logits_rows(gpt2_source, bytes, &m->model->config, run.n);
    run.seconds = seconds_of(m->directory, ids, n_new, run.n - n_prompt);
    free(text);
    free(ids);
    return run;
}

/* --- the course's --- */

static size_t largest(const float *logits, size_t n) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (logits[i] > logits[best]) best = i;
    return best;
}

OneFileRun one_file_reference(const Gpt2 *model, const int *prompt, size_t n_prompt,
                              size_t n_new) {
    size_t n_vocab = model->config.n_vocab, n_ctx = model->config.n_ctx;
    size_t most = n_prompt + n_new < n_ctx + 1 ? n_prompt + n_new : n_ctx + 1;
    OneFileRun run = {.ids = checked_alloc(most, sizeof(int)),
                      .rows = most < n_ctx ? most : n_ctx,
                      .seconds = 1e9};
    run.logits = checked_alloc(run.rows * n_vocab, sizeof(float));
    memcpy(run.ids, prompt, n_prompt * sizeof(int));
    Tape t = tape_for_inference();
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        KvCache cache = kv_cache_create(&model->config, 1, n_ctx);
        double started = 0;
        run.n = n_prompt;
        for (size_t i = 0; i < run.rows; i++) {
            const float *logits =
                kv_cache_logits(&t, model, &cache, run.ids + i, 1, (size_t[]){1});
            memcpy(run.logits + i * n_vocab, logits, n_vocab * sizeof(float));
            if (i + 1 == n_prompt) started = clock_seconds();
            if (i + 1 == run.n && run.n < most)
                run.ids[run.n++] = (int)largest(logits, n_vocab);
        }
        size_t behind = run.rows - n_prompt; /* tokens behind the prompt */
        double seconds = clock_seconds() - started;
        run.seconds = behind ? least(run.seconds, seconds / (double)behind) : 0;
        kv_cache_free(&cache);
    }
    tape_free(&t);
    return run;
}

void one_file_run_free(OneFileRun *run) {
    free(run->ids);
    free(run->logits);
    *run = (OneFileRun){0};
}
