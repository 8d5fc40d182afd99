/* make bench: how fast the core is, as ratios to what the machine can do, measured in
 * this one run. The yardsticks are OpenBLAS' sgemm where it is installed, plain loops
 * over memory, and our functions on an array in the first cache. Writes speed-*.csv to
 * --out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_OPENBLAS
void openblas_set_num_threads(int);
char *openblas_get_corename(void);
#endif

#include "bench.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"
#include "program/program.h"
#include "kernels/threads.h"

size_t bench_rounds = 5;
static const char *only;

float *bench_floats(size_t n) {
    float *x = checked_aligned_alloc(n, sizeof *x); /* as the tape's are */
    Random r = random_create(n);
    for (size_t i = 0; i < n; i++) x[i] = random_float(&r) - 0.5f;
    return x;
}

void bench_threads(size_t n) {
    threads_use(n);
#ifdef HAVE_OPENBLAS
    openblas_set_num_threads((int)n);
#endif
}

Spread bench_spread(double *x, size_t n) {
    double middle = quantile(x, n, 0.5);
    return (Spread){middle, (x[n - 1] - x[0]) / middle};
}

/* What other programs leave of the processors. */
static void warn_if_busy(size_t threads) {
    double share = threads_share(threads, 0.1);
    if (share < 0.9)
        printf("the machine is busy: %zu thread%s got %.0f %% of the processors, so "
               "the figures below are "
               "too low\n",
               threads, threads > 1 ? "s" : "", 100 * share);
}

/* f with one thread, then with all. */
static void for_threads(const Settings *settings, Csv *csv, void (*f)(Csv *, size_t)) {
    f(csv, 1);
    if (settings->threads > 1) f(csv, settings->threads);
}

static void name_the_yardstick(void) {
#ifdef HAVE_OPENBLAS
    printf("OpenBLAS runs its %s kernels (OPENBLAS_CORETYPE chooses others)\n",
           openblas_get_corename());
#else
    printf("OpenBLAS is not installed (Debian: libopenblas-dev): its column repeats "
           "ours\n");
#endif
}

static void products(const Settings *settings) {
    name_the_yardstick();
    Csv csv = csv_begin(settings->out, "speed-products",
                        "threads,form,m,k,n,ours_gflops,openblas_gflops,ratio,spread");
    for_threads(settings, &csv, bench_products);
    csv_commit(&csv);
}

static void kernels(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "speed-kernels",
                        "threads,kernel,limit,limit_us,measured_us,ratio,spread");
    for_threads(settings, &csv, bench_kernels);
    csv_commit(&csv);
}

/* --- the parts: each may run alone --- */

static void of_124m(const Settings *settings, bool train, bool decode, bool prompt) {
    name_the_yardstick();
    printf("\nGPT-2 124M, random weights\n");
    Gpt2Config config = gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *gpt2 = gpt2_create(&config, PARAMS_TRAIN, &init);
    Csv csv = csv_begin(settings->out, "speed-model",
                        "what,threads,seconds,bound,ratio,spread");
    Csv parts =
        csv_begin(settings->out, "speed-parts", "what,threads,part,seconds,share");
    size_t few[] = {1, settings->threads}, n_few = settings->threads > 1 ? 2 : 1;
    for (size_t i = 0; i < n_few && train; i++)
        bench_training(gpt2, &csv, &parts, few[i]);
    gpt2_prepare(gpt2);
    for (size_t i = 0; i < n_few && decode; i++)
        bench_decoding(gpt2, &csv, &parts, few[i]);
    for (size_t i = 0; i < n_few && prompt; i++)
        bench_prompt(gpt2, &csv, &parts, few[i]);
    csv_commit(&csv);
    csv_commit(&parts);
    gpt2_free(gpt2);
}
static void model(const Settings *settings) {
    of_124m(settings, true, true, true);
}
static void train(const Settings *settings) {
    of_124m(settings, true, false, false);
}
static void decode(const Settings *settings) {
    of_124m(settings, false, true, false);
}
static void prompt(const Settings *settings) {
    of_124m(settings, false, false, true);
}

static void small(const Settings *settings) {
    Csv csv =
        csv_begin(settings->out, "speed-small", "threads,seconds,bound,ratio,spread");
    for_threads(settings, &csv, bench_small);
    csv_commit(&csv);
}

static void waiting(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "speed-waiting",
                        "beside,threads,seconds,ratio,spread");
    bench_waiting(&csv, settings->threads);
    csv_commit(&csv);
}

static const Experiment parts[] = {
    {"products", "matrix products against OpenBLAS", products},
    {"kernels", "the other kernels against memory and arithmetic", kernels},
    {"model", "GPT-2 124M: train, decode and prompt, and the time by part", model},
    {"train", "a training step of GPT-2 124M", train},
    {"decode", "a token of GPT-2 124M with the cache", decode},
    {"prompt", "a prompt of 512 tokens", prompt},
    {"small", "a training step of chapter 11's model", small},
    {"waiting", "a small training step beside a busy process, by how threads wait",
     waiting},
    {"small-step", "what waiting measures: the seconds of one such step",
     bench_small_step},
    {"small-step-all", "the same, always with all threads", bench_small_step_all},
    {0},
};

/* A part alone leaves the figures of a whole run as they are. */
static void demo(const Settings *settings) {
    Settings here = *settings;
    bool found = false;
    if (only) here.out = "build/bench";
    warn_if_busy(settings->threads);
    for (const Experiment *part = parts; part->name && part->run != bench_small_step;
         part++) {
        bool of_model =
            part->run == train || part->run == decode || part->run == prompt;
        if (only ? strcmp(only, part->name) != 0 : of_model) continue;
        found = true;
        part->run(&here);
    }
    if (!found)
        die_usage("--only '%s': expected products, kernels, model, train, decode, "
                  "prompt, small or waiting",
                  only);
    warn_if_busy(settings->threads);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"only", OPTION_TEXT, &only,
         "one part: products, kernels, model, train, decode, prompt, small or waiting",
         0, 0},
        {"rounds", OPTION_SIZE, &bench_rounds, "rounds of which the median is taken", 1,
         MAX_ROUNDS},
        {0},
    };
    setenv("BENCH", argv[0], 1);
    return program_run(argc, argv,
                       &(Program){
                           .name = "bench",
                           .summary = "speed, as ratios to what the machine can do",
                           .example = "--only decode --rounds 11",
                           .options = options,
                           .experiments = parts,
                           .demo = demo,
                       });
}
