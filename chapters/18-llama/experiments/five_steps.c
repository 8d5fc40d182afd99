/* From GPT-2 to LLaMA in steps, on the built-in language: see experiments.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/llama.h"
#include "base/memory.h"
#include "files/csv.h"
#include "program/claim.h"
#include "program/progress.h"
#include "text/corpus.h"

enum { GPT2, RMS, SWIGLU, ROPE, GQA, MODELS };
enum { WIDTH = 64, HEADS = 4, LAYERS = 2, BYTES = 128, BATCH = 8 };
enum { TRAINED = 64, ASKED = 192, BUCKET = 16, BUCKETS = ASKED / BUCKET };
enum { MAX_SEEDS = 3, WINDOWS = 150 };

static const char *const names[MODELS] = {"GPT-2", "RMSNorm without biases",
                                          "and SwiGLU", "and RoPE", "and GQA (LLaMA)"};

/* The FFN's widths keep the numbers of weights equal to two percent: three matrices for
 * two, and what the shared keys save. */
static Gpt2Config config_of(size_t model) {
    Gpt2Config c = gpt2_config(BYTES, ASKED, LAYERS, HEADS, WIDTH);
    c.init_std = 0.1f;
    if (model >= RMS) {
        c.block.norm = NORM_RMS;
        block_set_biases(&c.block, false);
    }
    if (model >= SWIGLU) {
        c.block.ffn = FFN_SWIGLU;
        c.block.d_ff = model == GQA ? 192 : 171;
    }
    if (model >= ROPE) {
        c.positions = POSITIONS_NONE;
        rotary_set(&c.block, 10000);
    }
    if (model == GQA) c.block.n_kv_head = HEADS / 2;
    return c;
}

/* What a run leaves: the mean loss in each bucket of positions. */
typedef struct {
    double losses[BUCKETS];
    size_t parameters; /* without the table of positions */
} Run;

typedef struct {
    size_t steps, n_seeds;
    int *text, *unseen; /* [bytes] */
    size_t bytes, unseen_bytes;
    Run runs[MODELS][MAX_SEEDS];
} FiveSteps;

static int *bytes_of(uint64_t seed, size_t least, size_t *n) {
    CorpusText text = corpus_generate(seed, least);
    int *tokens = checked_alloc(text.bytes, sizeof *tokens);
    for (size_t i = 0; i < text.bytes; i++) tokens[i] = (unsigned char)text.text[i];
    *n = text.bytes;
    free(text.text);
    return tokens;
}

static void draw_batch(int *inputs, int *targets, const FiveSteps *f, Random *random) {
    for (size_t b = 0; b < BATCH; b++) {
        const int *from =
            f->text + random_below(random, (uint32_t)(f->bytes - TRAINED));
        for (size_t i = 0; i < TRAINED; i++) {
            inputs[b * TRAINED + i] = from[i];
            targets[b * TRAINED + i] = from[i + 1];
        }
    }
}

static Gpt2 *train(const FiveSteps *f, size_t model, uint64_t seed) {
    const float rate = 3e-3f;
    Random init = random_stream(seed, 1), data = random_stream(seed, 2);
    Gpt2Config config = config_of(model);
    Gpt2 *m = gpt2_create(&config, PARAMS_TRAIN, &init);
    AdamW optimizer = adamw_create(&m->params, rate, 0);
    Tape t = tape_create(seed);
    int inputs[BATCH * TRAINED], targets[BATCH * TRAINED];
    Gpt2Input input = {.tokens = inputs, .batch = BATCH, .length = TRAINED};
    for (size_t step = 0; step < f->steps; step++) {
        draw_batch(inputs, targets, f, &data);
        tape_reset(&t);
        params_zero_grad(&m->params);
        tape_backward(&t, gpt2_loss(&t, m, &input, targets));
        float left = (float)(f->steps - step) / (float)f->steps;
        optimizer.settings.learning_rate = rate * left;
        adamw_step(&optimizer, &m->params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
    return m;
}

/* Windows of unseen text, three times as long as those of the training. */
static void ask(Run *run, const FiveSteps *f, const Gpt2 *m) {
    Tape t = tape_for_inference();
    size_t apart = (f->unseen_bytes - ASKED - 1) / WINDOWS;
    for (size_t w = 0; w < WINDOWS; w++) {
        const int *tokens = f->unseen + w * apart;
        Gpt2Input input = {.tokens = tokens, .batch = 1, .length = ASKED};
        const float *logits = gpt2_logits(&t, m, &input)->data;
        float logsumexp[ASKED];
        cross_entropy_forward(logsumexp, logits, tokens + 1, ASKED, BYTES);
        for (size_t p = 0; p < ASKED; p++)
            run->losses[p / BUCKET] +=
                ((double)logsumexp[p] -
                 (double)logits[p * BYTES + (size_t)tokens[p + 1]]) /
                (WINDOWS * BUCKET);
        tape_reset(&t);
    }
    tape_free(&t);
}

static void run_all(FiveSteps *f, uint64_t seed) {
    size_t n_runs = MODELS * f->n_seeds, done = 0;
    Progress progress = progress_begin("five steps", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < n_runs; i++) {
        size_t model = i / f->n_seeds, s = i % f->n_seeds;
        Run *run = &f->runs[model][s];
        *run = (Run){0};
        Gpt2 *m = train(f, model, seed + s);
        run->parameters =
            params_count(&m->params) - (model < ROPE ? (size_t)ASKED * WIDTH : 0);
        ask(run, f, m);
        gpt2_free(m);
#pragma omp critical
        progress_update(&progress, ++done, "%s", names[model]);
    }
    progress_end(&progress);
}

/* The mean of the buckets from `from` on, up to `to`. */
static double loss_of(const Run *run, size_t from, size_t to) {
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += run->losses[i];
    return sum / (double)(to - from);
}

static double inside(const Run *run) {
    return loss_of(run, 0, TRAINED / BUCKET);
}
static double past(const Run *run) {
    return loss_of(run, TRAINED / BUCKET, BUCKETS);
}

static void write_runs(const FiveSteps *f, const char *directory) {
    Csv ends = csv_begin(directory, "18-five-steps",
                         "model,order,seed,parameters,loss,minus_gpt2,past");
    Csv places = csv_begin(directory, "18-positions", "order,seed,position,loss");
    for (size_t model = 0; model < MODELS; model++) {
        for (size_t s = 0; s < f->n_seeds; s++) {
            const Run *run = &f->runs[model][s];
            csv_row(&ends, "%s,%zu,%zu,%zu,%.6g,%.6g,%.6g", names[model], model, s + 1,
                    run->parameters, inside(run),
                    inside(run) - inside(&f->runs[GPT2][s]), past(run));
            for (size_t i = 0; i < BUCKETS; i++)
                csv_row(&places, "%zu,%zu,%zu,%.6g", model, s + 1,
                        i * BUCKET + BUCKET / 2, run->losses[i]);
        }
    }
    csv_commit(&ends);
    csv_commit(&places);
}

static void print_runs(const FiveSteps *f) {
    printf("%-23s %10s  loss up to position %d, and behind it, by seed\n", "",
           "numbers", TRAINED);
    for (size_t model = 0; model < MODELS; model++) {
        printf("%-23s %10zu ", names[model], f->runs[model][0].parameters);
        for (size_t s = 0; s < f->n_seeds; s++)
            printf("  %.3f %.3f", inside(&f->runs[model][s]), past(&f->runs[model][s]));
        putchar('\n');
    }
}

/* Rotary positions beside learned ones, with the same seed and the same FFN. */
static void check_positions(const FiveSteps *f) {
    double gain = INFINITY, gain_past = INFINITY, rise = INFINITY;
    for (size_t model = ROPE; model < MODELS; model++) {
        for (size_t s = 0; s < f->n_seeds; s++) {
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
    f.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    f.steps = settings->quick ? 60 : 600;
    f.text = bytes_of(1, 1 << 20, &f.bytes);
    f.unseen = bytes_of(2, 1 << 16, &f.unseen_bytes);
    run_all(&f, settings->seed);
    write_runs(&f, settings->out);
    print_runs(&f);
    check_sizes(&f);
    check_positions(&f);
    free(f.text);
    free(f.unseen);
}
