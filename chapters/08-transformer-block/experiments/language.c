/* GPT-2's block turned into LLaMA's, one switch after the other, on the built-in
 * language. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/residual_init.h"
#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/text_model.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { D_MODEL = 48, N_HEAD = 4, N_LAYER = 3, BYTES = 128, LENGTH = 64, BATCH = 8 };
enum { GPT2, NO_BIASES, RMS, LLAMA, BLOCKS };
enum { MAX_SEEDS = 5, MAX_STEPS = 800, WINDOW = 50 };

static const char *const names[BLOCKS] = {"GPT-2", "without biases", "and RMSNorm",
                                          "and SwiGLU (LLaMA)"};

/* With d_ff = 5 d_model, a gated FFN of 164 has exactly as many numbers as a plain one
 * of 240 together with all that LLaMA's block leaves out: 2 d d_ff + d_ff + 7 d = 3 d *
 * 164. */
static BlockConfig config_of(size_t block) {
    BlockConfig c = block_config_gpt2(D_MODEL, N_HEAD);
    c.d_ff = 5 * D_MODEL;
    block_set_biases(&c, block < NO_BIASES);
    if (block >= RMS) c.norm = NORM_RMS;
    if (block == LLAMA) {
        c.ffn = FFN_SWIGLU;
        c.d_ff = 164;
    }
    return c;
}

static size_t block_size(size_t block) {
    Params params = {.mode = PARAMS_MAPPED};
    BlockConfig config = config_of(block);
    Block b = block_create(&params, NULL, &config, 0, 0, "h");
    size_t n = params_count(&params);
    block_free(&b);
    params_free(&params);
    return n;
}

static void train(double *losses, size_t block, size_t steps, const CorpusText *text,
                  uint64_t seed) {
    const float std = 0.14f; /* about 1 / sqrt(D_MODEL) */
    SmallModelConfig config = {.block = config_of(block),
                               .n_layer = N_LAYER,
                               .n_tokens = BYTES,
                               .length = LENGTH,
                               .std = std,
                               .std_residual = residual_init_std(std, N_LAYER)};
    TextRun run = {.model = config,
                   .text = {text->text, text->bytes},
                   .batch = BATCH,
                   .steps = steps,
                   .peak = 3e-3f,
                   .seed = seed};
    SmallModel m = text_model_train(losses, &run);
    small_model_free(&m);
}

typedef struct {
    size_t n_seeds, n_steps;
    double losses[BLOCKS][MAX_SEEDS][MAX_STEPS];
} Language;

static void run_all(Language *l, uint64_t first_seed) {
    CorpusText text = corpus_generate(1, 1 << 20);
    size_t n_runs = BLOCKS * l->n_seeds, done = 0;
    Progress progress = progress_begin("language", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t block = run / l->n_seeds, s = run % l->n_seeds;
        train(l->losses[block][s], block, l->n_steps, &text, first_seed + s);
#pragma omp critical
        progress_update(&progress, ++done, "%s", names[block]);
    }
    progress_end(&progress);
    free(text.text);
}

static double end_of(const Language *l, size_t block, size_t s) {
    return mean_of_last(l->losses[block][s], l->n_steps, WINDOW);
}

/* The mean loss of each window of steps, and its difference to GPT-2's with the same
 * seed and batches. */
static void write_losses(const Language *l, const char *directory) {
    Csv csv = csv_begin(directory, "language", "block,order,seed,step,loss,minus_gpt2");
    for (size_t block = 0; block < BLOCKS; block++) {
        for (size_t s = 0; s < l->n_seeds; s++) {
            for (size_t step = WINDOW; step <= l->n_steps; step += WINDOW) {
                double loss = mean_of_last(l->losses[block][s], step, WINDOW);
                csv_row(&csv, "%s,%zu,%zu,%zu,%.6g,%.6g", names[block], block, s + 1,
                        step, loss,
                        loss - mean_of_last(l->losses[GPT2][s], step, WINDOW));
            }
        }
    }
    csv_commit(&csv);
}

typedef struct {
    double mean, deviation;
} Spread;

/* Mean and deviation of the loss of `block` over the seeds, minus that of `than` with
 * the same seed (BLOCKS: minus nothing). */
static Spread over_seeds(const Language *l, size_t block, size_t than) {
    double n = (double)l->n_seeds, sum = 0, square = 0;
    for (size_t s = 0; s < l->n_seeds; s++) {
        double x = end_of(l, block, s) - (than < BLOCKS ? end_of(l, than, s) : 0);
        sum += x;
        square += x * x;
    }
    return (Spread){sum / n, sqrt((square - sum * sum / n) / (n - 1))};
}

void experiment_language(const Settings *settings) {
    static Language l;
    l.n_seeds = settings->quick ? 2 : MAX_SEEDS;
    l.n_steps = settings->quick ? 100 : MAX_STEPS;
    run_all(&l, settings->seed);
    write_losses(&l, settings->out);
    printf("%-20s %10s  loss of the last %d of %zu steps by seed (floor %.3f nats a "
           "byte)\n",
           "", "a block", WINDOW, l.n_steps, corpus_floor().nats_per_byte);
    for (size_t block = 0; block < BLOCKS; block++) {
        printf("%-20s %10zu ", names[block], block_size(block));
        for (size_t s = 0; s < l.n_seeds; s++) printf(" %.3f", end_of(&l, block, s));
        putchar('\n');
    }
    claim(block_size(GPT2) == block_size(LLAMA),
          "GPT-2's block and LLaMA's have %zu parameters each", block_size(LLAMA));
    size_t worse = 0;
    for (size_t s = 0; s < l.n_seeds; s++)
        worse += end_of(&l, NO_BIASES, s) > end_of(&l, GPT2, s);
    claim(worse == l.n_seeds,
          "without biases the loss is higher for %zu of %zu seeds (all)", worse,
          l.n_seeds);
    double seeds = over_seeds(&l, GPT2, BLOCKS).deviation;
    for (size_t block = NO_BIASES; block < BLOCKS; block++) {
        Spread more = over_seeds(&l, block, GPT2);
        claim(fabs(more.mean) < seeds,
              "%s: %+.3f nats a byte (deviation of the pairs %.3f), less than GPT-2's "
              "own over seeds, %.3f",
              names[block], more.mean, more.deviation, seeds);
    }
}
