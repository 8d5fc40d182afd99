/* A training step of GPT-2 124M: where its seconds go, and what operations and bytes
 * predict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "10-gpt2/gpt2.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/random.h"
#include "kernels/threads.h"
#include "tensor/trace.h"

enum { BATCH = 4, LENGTH = 64, TOKENS = BATCH * LENGTH, STEPS_TIMED = 3 };

/* The first step finds out how much memory a step takes, the second asks for it. */
enum { WARM_UP = 2 };

typedef struct {
    Gpt2 *model;
    AdamW optimizer;
    Tape tape;
    int tokens[TOKENS + 1];
} Training;

static void training_step(Training *t) {
    tape_reset(&t->tape);
    params_zero_grad(&t->model->params);
    Gpt2Input input = {.tokens = t->tokens, .batch = BATCH, .length = LENGTH};
    tape_backward(&t->tape, gpt2_loss(&t->tape, t->model, &input, t->tokens + 1));
    adamw_step(&t->optimizer, &t->model->params);
}

static Training *training_create(const Settings *settings) {
    static Training t;
    Gpt2Config config =
        settings->quick ? gpt2_config(2048, 64, 2, 4, 256) : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    t.model = gpt2_create(&config, PARAMS_TRAIN, &init);
    t.optimizer = adamw_create(&t.model->params, 1e-5f, 0.1f);
    t.tape = tape_for_training(settings->seed);
    for (size_t i = 0; i <= TOKENS; i++)
        t.tokens[i] = (int)random_below(&init, (uint32_t)config.n_vocab);
    return &t;
}

/* --- predicted: operations by the rate of products, bytes by the rate of changing
 * memory --- */

typedef struct {
    double products, optimizer, gradients, logits, activations;
} Prediction;

static double all_of(const Prediction *p) {
    return p->products + p->optimizer + p->gradients + p->logits + p->activations;
}

/* The rate is that of one product of GPT-2's, no other is timed; floats go by as often
 * as formulas say.
 *
 * products: 6 operations for each token and number of a matrix. optimizer: it reads
 * four arrays and writes three. gradients: they are cleared, and each is read and
 * written once more by its product. logits: the loss reads them twice and writes their
 * gradient, the head's products read it twice. activations: of a block about 34 arrays
 * of [tokens, d] (GELU's are four times as wide) are written, read and get a gradient,
 * which is written and read. */
static Prediction predict(const Gpt2 *model, double rate, double bytes_per_second) {
    const Gpt2Config *config = &model->config;
    double n = (double)params_count(&model->params), d = (double)config->block.d_model,
           tokens = TOKENS;
    double floats = bytes_per_second / 4, logits = tokens * (double)config->n_vocab;
    double attention = 12 * tokens * LENGTH * d / 2 * (double)config->n_layer;
    return (Prediction){
        .products =
            (6 * (n - (double)tensor_size(model->wpe)) * tokens + attention) / rate,
        .optimizer = 7 * n / floats,
        .gradients = 3 * n / floats,
        .logits = 6 * logits / floats,
        .activations = 4 * 34 * tokens * d * (double)config->n_layer / floats,
    };
}

static double product_rate(size_t threads) {
    Operands o = operands_create(TOKENS, 3072, 768);
    Contender c = {.run = product_common};
    timing_take_turns(&c, 1, &o, threads, 9);
    operands_free(&o);
    return contender_rate(&c, &o);
}

/* --- measured --- */

static double measure(Csv *csv, Training *t, size_t threads) {
    double best = INFINITY, sum = 0;
    threads_use(threads);
    for (size_t i = 0; i < WARM_UP; i++) training_step(t);
    trace_start(TRACE_TIMES, NULL);
    trace_clear_totals();
    for (size_t i = 0; i < STEPS_TIMED; i++) {
        double wall = clock_seconds(), started = clock_seconds_of(threads);
        training_step(t);
        best = smaller(best, clock_seconds_of(threads) - started);
        sum += clock_seconds() - wall;
    }
    size_t n;
    const TraceTotal *totals = trace_totals(&n);
    for (size_t i = 0; i < n; i++) {
        double forward = totals[i].forward / STEPS_TIMED,
               backward = totals[i].backward / STEPS_TIMED;
        csv_row(csv, "%s,%zu,%.4g,%.4g,%.4g", totals[i].name, threads, forward,
                backward, (totals[i].forward + totals[i].backward) / sum);
        printf("  %-18s %8.1f ms %8.1f ms %6.1f %%\n", totals[i].name, 1e3 * forward,
               1e3 * backward, 100 * (totals[i].forward + totals[i].backward) / sum);
    }
    trace_start(TRACE_OFF, NULL);
    return best;
}

void experiment_step(const Settings *settings) {
    enum { MOST_THREADS = 2 };
    Csv parts = csv_begin(settings->out, "step",
                          "operation,threads,forward_s,backward_s,share");
    Csv total = csv_begin(settings->out, "step-predicted",
                          "threads,products_s,optimizer_s,gradients_s,logits_s,"
                          "activations_s,predicted_s,measured_s,"
                          "ratio");
    Training *t = training_create(settings);
    double ratio[MOST_THREADS + 1];
    for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
        double rate = product_rate(threads),
               bandwidth = machine_bandwidth((size_t)1 << 28, threads, true);
        Prediction p = predict(t->model, rate, bandwidth);
        printf("%zu thread%s: %.1f GFLOP/s and %.1f GB/s predict %.3f s a step: "
               "products %.3f, optimizer %.3f, "
               "gradients %.3f, logits %.3f, activations %.3f\n",
               threads, threads > 1 ? "s" : "", 1e-9 * rate, 1e-9 * bandwidth,
               all_of(&p), p.products, p.optimizer, p.gradients, p.logits,
               p.activations);
        double measured = measure(&parts, t, threads);
        ratio[threads] = all_of(&p) / measured;
        printf("  measured: %.3f s\n", measured);
        csv_row(&total, "%zu,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.3g", threads,
                p.products, p.optimizer, p.gradients, p.logits, p.activations,
                all_of(&p), measured, ratio[threads]);
    }
    csv_commit(&parts);
    csv_commit(&total);
    threads_use(settings->threads);
    claim(ratio[1] > 0.7 && ratio[1] < 1.3,
          "one thread: predicted / measured is %.2f (0.7 to 1.3)", ratio[1]);
}
