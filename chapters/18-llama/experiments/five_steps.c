/* From GPT-2 to LLaMA in steps, on the built-in language: see experiments.h. */
#include <math.h>
#include <stdio.h>

#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/small_models.h"
#include "18-llama/llama.h"
#include "files/csv.h"
#include "program/claim.h"
#include "program/progress.h"

enum { GPT2, RMS, SWIGLU, ROPE, GQA, MODELS };

static const char *const names[MODELS] = {"GPT-2", "RMSNorm without biases",
                                          "and SwiGLU", "and RoPE", "and GQA (LLaMA)"};

/* The FFN's widths keep the numbers of weights equal to two percent: three matrices for
 * two, and what the shared keys save. */
static Gpt2Config config_of(size_t model) {
    Gpt2Config c = model < ROPE ? small_gpt2() : small_llama();
    if (model >= RMS) {
        c.block.norm = NORM_RMS;
        block_set_biases(&c.block, false);
    }
    if (model >= SWIGLU) {
        c.block.ffn = FFN_SWIGLU;
        c.block.d_ff = model == GQA ? 192 : 171;
    }
    if (model == GQA) c.block.n_kv_head = HEADS / 2;
    return c;
}

typedef struct {
    LossByPosition loss;
    size_t parameters; /* without the table of positions */
} Run;

typedef struct {
    SmallRuns small;
    Run runs[MODELS][MAX_SEEDS];
} FiveSteps;

static void run_all(FiveSteps *f, uint64_t seed) {
    size_t n_seeds = f->small.n_seeds, n_runs = MODELS * n_seeds, done = 0;
    Progress progress = progress_begin("five steps", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < n_runs; i++) {
        size_t model = i / n_seeds, s = i % n_seeds;
        Run *run = &f->runs[model][s];
        Gpt2Config config = config_of(model);
        Gpt2 *m = small_trained(&f->small, &config, seed + s);
        run->parameters =
            params_count(&m->params) - (model < ROPE ? (size_t)ASKED * WIDTH : 0);
        run->loss = small_ask(&f->small, m);
        gpt2_free(m);
#pragma omp critical
        progress_update(&progress, ++done, "%s", names[model]);
    }
    progress_end(&progress);
}

static double inside(const Run *run) {
    return loss_inside(&run->loss);
}
static double past(const Run *run) {
    return loss_past(&run->loss);
}

static void write_runs(const FiveSteps *f, const char *directory) {
    Csv ends = csv_begin(directory, "five-steps",
                         "model,order,seed,parameters,loss,minus_gpt2,past");
    for (size_t model = 0; model < MODELS; model++) {
        for (size_t s = 0; s < f->small.n_seeds; s++) {
            const Run *run = &f->runs[model][s];
            csv_row(&ends, "%s,%zu,%zu,%zu,%.6g,%.6g,%.6g", names[model], model, s + 1,
                    run->parameters, inside(run),
                    inside(run) - inside(&f->runs[GPT2][s]), past(run));
        }
    }
    csv_commit(&ends);
}

static void print_runs(const FiveSteps *f) {
    printf("%-23s %10s  loss up to position %d, and behind it, by seed\n", "",
           "numbers", TRAINED);
    for (size_t model = 0; model < MODELS; model++) {
        printf("%-23s %10zu ", names[model], f->runs[model][0].parameters);
        for (size_t s = 0; s < f->small.n_seeds; s++)
            printf("  %.3f %.3f", inside(&f->runs[model][s]), past(&f->runs[model][s]));
        putchar('\n');
    }
}

/* Rotary positions beside learned ones, with the same seed and the same FFN. */
static void check_positions(const FiveSteps *f) {
    double gain = INFINITY, gain_past = INFINITY, rise = INFINITY;
    for (size_t model = ROPE; model < MODELS; model++) {
        for (size_t s = 0; s < f->small.n_seeds; s++) {
            const Run *learned = &f->runs[SWIGLU][s], *rotary = &f->runs[model][s];
            gain = fmin(gain, inside(learned) - inside(rotary));
            gain_past = fmin(gain_past, past(learned) - past(rotary));
            rise = fmin(rise, past(rotary) - inside(rotary));
        }
    }
    claim(gain > 0, "rotary positions lose %.2f nats less at least, in each seed",
          gain);
    claim(gain_past > 0, "and past the trained length %.2f less", gain_past);
    claim(rise > 0, "where they lose %.2f more than inside of it", rise);
}

static void check_sizes(const FiveSteps *f) {
    double n = (double)f->runs[GPT2][0].parameters, unequal = 0;
    for (size_t model = 0; model < MODELS; model++)
        unequal = fmax(unequal, fabs((double)f->runs[model][0].parameters / n - 1));
    claim(unequal < 0.02, "the models have the same number of weights to %.1f %%",
          100 * unequal);
}

void experiment_five_steps(const Settings *settings) {
    static FiveSteps f;
    f.small = small_runs_begin(settings);
    run_all(&f, settings->seed);
    write_runs(&f, settings->out);
    print_runs(&f);
    check_sizes(&f);
    check_positions(&f);
    small_runs_end(&f.small);
}
