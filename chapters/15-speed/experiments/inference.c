/* GPT-2 124M writes a token and reads a prompt: what bounds each, reading its weights
 * and multiplying them, and which operations take the time. */
#include <stdio.h>

#include "13-kv-cache/kv_cache.h"
#include "15-speed/blas.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "base/clock.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"
#include "tensor/trace.h"

enum { PROMPT = 512, MOST_THREADS = 2 };

/* The first two find out how much memory it takes. */
enum { WARM_UP = 2 };

static Csv times, parts;

/* n tokens behind those that the cache holds, or a text of its own: so many turns. */
typedef struct {
    const char *name;
    size_t tokens, turns;
    bool own_text;
} Reading;
static const Reading decode = {"decode", 1, 21, false},
                     prompt = {"prompt", PROMPT, 5, true};

static void report_parts(const Reading *r, size_t threads, double seconds) {
    size_t n;
    const TraceTotal *totals = trace_totals(&n);
    double rest = seconds;
    for (size_t i = 0; i <= n; i++) {
        double part = i < n ? totals[i].forward : rest;
        const char *name = i < n ? totals[i].name : "the rest";
        printf("  %-18s %8.2f ms %6.1f %%\n", name, 1e3 * part / (double)r->turns,
               100 * part / seconds);
        csv_row(&parts, "%s,%zu,%s,%.4g,%.4g", r->name, threads, name,
                part / (double)r->turns, part / seconds);
        rest -= part;
    }
}

/* Its bound over its time. */
static double measure(const Gpt2 *model, const Reading *r, size_t threads,
                      double bound) {
    static const int tokens[PROMPT];
    double time = INFINITY, sum = 0;
    Tape t = tape_for_inference();
    KvCache cache = kv_cache_create(&model->config, 1, model->config.n_ctx);
    threads_use(threads);
    for (size_t i = 0; i < WARM_UP + r->turns; i++) {
        if (i == WARM_UP) {
            trace_start(TRACE_TIMES, NULL);
            trace_clear_totals();
        }
        if (r->own_text) kv_cache_clear(&cache);
        double wall = clock_seconds(), started = clock_seconds_of(threads);
        kv_cache_logits(&t, model, &cache, tokens, r->tokens, &r->tokens);
        time = smaller(time, clock_seconds_of(threads) - started);
        if (i >= WARM_UP) sum += clock_seconds() - wall;
    }
    printf("%s, %zu thread%s: %.4g s, bound %.4g s: %.2f of it\n", r->name, threads,
           threads > 1 ? "s" : "", time, bound, bound / time);
    csv_row(&times, "%s,%zu,%.4g,%.4g,%.4g", r->name, threads, time, bound,
            bound / time);
    report_parts(r, threads, sum);
    trace_start(TRACE_OFF, NULL);
    kv_cache_free(&cache);
    tape_free(&t);
    return bound / time;
}

/* Of a large square: by OpenBLAS, or ours where there is none. */
static double rate_of_products(size_t threads) {
    enum { N = 2048, TURNS = 5 };
    Product *blas = blas_product(A_B, threads);
    Contender c = {.run = blas ? blas : product_common};
    Operands o = operands_create(N, N, N);
    timing_take_turns(&c, 1, &o, threads, TURNS);
    operands_free(&o);
    return contender_rate(&c, &o);
}

void experiment_inference(const Settings *settings) {
    Gpt2Config config = settings->quick ? gpt2_config(2048, PROMPT, 2, 4, 256)
                                        : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    gpt2_repack(model);
    /* A token needs one row of the positions. Of a prompt the head reads one position;
     * attention's products are not counted. */
    double numbers = (double)(params_count(&model->params) - tensor_size(model->wpe));
    double in_blocks = numbers - (double)tensor_size(model->wte);
    double token_ratio[MOST_THREADS + 1], prompt_ratio[MOST_THREADS + 1];
    times = csv_begin(settings->out, "inference", "what,threads,seconds,bound,ratio");
    parts =
        csv_begin(settings->out, "inference-parts", "what,threads,part,seconds,share");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
        double bytes = numbers * sizeof(float);
        token_ratio[threads] =
            measure(model, &decode, threads,
                    bytes / machine_bandwidth((size_t)bytes, threads, false));
        prompt_ratio[threads] =
            measure(model, &prompt, threads,
                    2 * in_blocks * PROMPT / rate_of_products(threads));
    }
    csv_commit(&times);
    csv_commit(&parts);
    gpt2_free(model);
    threads_use(settings->threads);
    claim(token_ratio[1] > 0.5 && prompt_ratio[1] > 0.5,
          "one thread: reading the weights is %.2f of a token's time, their products "
          "%.2f of a prompt's (both above 0.5)",
          token_ratio[1], prompt_ratio[1]);
}
