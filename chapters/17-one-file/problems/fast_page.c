/* The judge of open problem 17/fast_page. */
#include "17-one-file/problems/fast_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/ids.h"
#include "13-kv-cache/kv_cache.h"
#include "17-one-file/one_file.h"
#include "17-one-file/problems/alone.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/problem.h"

enum { LAYERS = 2, HEADS = 12, WIDTH = 768, CONTEXT = 64, VOCABULARY = 8192 };
enum { PROMPT = 3, TOKENS = FAST_PAGE_TOKENS, ROWS = PROMPT + TOKENS };
static const double most = 1e-4;

/* A text, and the logits of both programs behind its tokens. */
typedef struct {
    int ids[PROMPT + TOKENS];
    float *theirs, *ours; /* [ROWS, VOCABULARY]; of theirs n_rows */
    size_t n_rows;
} Text;

static char path[4000]; /* the model's */

static void remove_files(void) { /* 80 MB of numbers; the directory stays */
    static const char *const names[] = {"model.safetensors", "logits"};
    for (size_t i = 0; i < 2; i++) {
        char *name = path_join(path, names[i]);
        remove(name);
        free(name);
    }
}

static Gpt2 *write_model(uint64_t seed) {
    Gpt2Config config = gpt2_config(VOCABULARY, CONTEXT, LAYERS, HEADS, WIDTH);
    config.init_std = 0.1f; /* large enough for attention to matter */
    Random init = random_create(seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Directory *d = directory_open(path);
    atexit(remove_files);
    gpt2_save(model, NULL, d);
    directory_commit(d);
    directory_close(d);
    return model;
}

/* Processor time of the programs that have ended. */
static double others_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The learner's program, with n tokens to write behind the text's prompt; returns the
 * processor's seconds. */
static double run_theirs(Text *text, const Gpt2 *model, size_t n) {
    char ids[64], count[24], logits[4096];
    snprintf(ids, sizeof ids, "%d,%d,%d", text->ids[0], text->ids[1], text->ids[2]);
    snprintf(count, sizeof count, "%zu", n);
    snprintf(logits, sizeof logits, "%s/logits", path);
    char *const words[] = {(char *)fast_page_program,
                           path,
                           "--ids",
                           ids,
                           "-n",
                           count,
                           "--logits",
                           logits,
                           NULL};
    double before = others_seconds(), wall;
    char *said = program_output(words, &wall);
    double seconds = others_seconds() - before;
    size_t n_ids, bytes;
    said[strcspn(said, "\n")] = 0;
    int *written = ids_parse(fast_page_source, said, VOCABULARY, &n_ids);
    float *read = (float *)file_read(logits, &bytes);
    if (n_ids != PROMPT + n)
        die("%s: %zu ids, expected a prompt of %d and %zu new ones", fast_page_source,
            n_ids, PROMPT, n);
    text->n_rows = logits_rows(fast_page_source, bytes, &model->config, n_ids);
    memcpy(text->ids, written, n_ids * sizeof(int));
    memcpy(text->theirs, read, bytes);
    free(written);
    free(read);
    free(said);
    return seconds;
}

/* Chapter 13 reads the same tokens; the seconds of those behind the first. */
static double run_ours(Text *text, const Gpt2 *model) {
    Tape t = tape_for_inference();
    KvCache cache = kv_cache_create(&model->config, 1, CONTEXT);
    double started = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const float *logits =
            kv_cache_logits(&t, model, &cache, text->ids + i, 1, (size_t[]){1});
        memcpy(text->ours + i * VOCABULARY, logits, VOCABULARY * sizeof(float));
        if (i == PROMPT) started = clock_thread_seconds();
    }
    double seconds = clock_thread_seconds() - started;
    kv_cache_free(&cache);
    tape_free(&t);
    return seconds;
}

static void judge_model(const Gpt2 *model, uint64_t seed) {
    const double ms = 1e3 / (TOKENS - 1);
    double theirs = 1e9, first = 1e9, ours = 1e9, worst = 0;
    Text text = {.theirs = checked_alloc(ROWS * VOCABULARY, sizeof(float)),
                 .ours = checked_alloc(ROWS * VOCABULARY, sizeof(float))};
    for (uint64_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(seed + k);
        for (size_t i = 0; i < PROMPT; i++)
            text.ids[i] = (int)random_below(&random, VOCABULARY);
        first = smaller(first, run_theirs(&text, model, 1));
        theirs = smaller(theirs, run_theirs(&text, model, TOKENS));
        ours = smaller(ours, run_ours(&text, model));
        double difference =
            largest_difference(text.theirs, text.ours, text.n_rows * VOCABULARY);
        if (!(difference <= worst)) worst = difference;
        printf("seed %llu: a token takes it %.2f ms, chapter 13 %.2f ms\n",
               (unsigned long long)(seed + k), ms * (theirs - first), ms * ours);
    }
    if (first > 1)
        die("%s takes %.1f s up to the first token it writes, expected 1 at most",
            fast_page_source, first);
    double ratio = (theirs - first) / ours;
    claim(worst <= most, "logits differ by %.1e at most (%.0e)", worst, most);
    claim(ratio <= 2, "%.2f times as long as chapter 13 (2): %s", ratio,
          ratio <= 2   ? "three stars"
          : ratio <= 3 ? "two stars"
          : ratio <= 4 ? "one star"
                       : "no star yet");
    free(text.theirs);
    free(text.ours);
}

static void judge(const Settings *settings) {
    const struct rlimit limit = {FAST_PAGE_SECONDS, FAST_PAGE_SECONDS};
    setrlimit(RLIMIT_CPU, &limit); /* the learner's program inherits it */
    size_t lines = lines_alone("17/fast_page", fast_page_source);
    claim(lines <= FAST_PAGE_LINES, "%zu lines, of at most %d", lines, FAST_PAGE_LINES);
    threads_use(1);
    snprintf(path, sizeof path, "%.3000s-model", fast_page_program);
    Gpt2 *model = write_model(settings->seed);
    gpt2_repack(model);
    judge_model(model, settings->seed);
    gpt2_free(model);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "17/fast_page", judge);
}
