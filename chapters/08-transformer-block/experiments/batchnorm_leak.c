/* Words drawn at random, behind a causal mask: nothing can be predicted, unless
 * BatchNorm tells of the words that are still to come. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_layer.h"
#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/text_model.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/claim.h"
#include "program/progress.h"

enum { D_MODEL = 32, N_HEAD = 2, N_LAYER = 2, WORDS = 16, LENGTH = 8, TEXT = 1 << 20 };
enum { MAX_SEEDS = 3, STEPS = 1500, QUICK_STEPS = 200, EXAM = 512 };
enum { STREAM_EXAM = 3, STREAM_TEXT };
enum { LAYER, BATCH, NORMS };

static const size_t batches[] = {1, 2, 4, 8, 16};
enum { BATCHES = sizeof batches / sizeof *batches };

/* The end of training, and new sentences, read with the running statistics. */
typedef struct {
    double training, exam;
} Losses;

typedef struct {
    size_t seeds, steps;
    Text text;
    Losses losses[NORMS][BATCHES][MAX_SEEDS];
} Leak;

static Losses losses_of(const Leak *leak, size_t norm, size_t batch, uint64_t seed) {
    double losses[STEPS];
    int tokens[EXAM * LENGTH], targets[EXAM * LENGTH];
    const float std = 0.18f; /* about 1 / sqrt(D_MODEL) */
    TextRun run = {.model = {.block = block_config_gpt2(D_MODEL, N_HEAD),
                             .n_layer = N_LAYER,
                             .n_tokens = WORDS,
                             .length = LENGTH,
                             .std = std,
                             .std_residual = std},
                   .text = leak->text,
                   .batch = batch,
                   .steps = leak->steps,
                   .peak = 3e-3f,
                   .seed = seed};
    run.model.block.norm = norm == BATCH ? NORM_BATCH : NORM_LAYER;
    SmallModel m = text_model_train(losses, &run);
    Random r = random_stream(seed, STREAM_EXAM);
    text_windows(tokens, targets, &leak->text, EXAM, LENGTH, &r);
    Tape t = tape_for_inference();
    Tensor *logits = small_model_logits(&t, &m, tokens, EXAM, NULL);
    Losses end = {mean_of_last(losses, leak->steps, leak->steps / 5),
                  (double)cross_entropy(&t, logits, targets)->data[0]};
    tape_free(&t);
    small_model_free(&m);
    return end;
}

/* The entropy of a word drawn from n words of which each is one of WORDS at random, for
 * a reader that knows how often each of them is among the n: the mean of -sum c/n
 * ln(c/n), where c is binomial. */
static double entropy_of_bag(size_t n) {
    double entropy = 0, p = 1.0 / WORDS, chance = 1; /* that a word is there c times */
    for (size_t i = 0; i < n; i++) chance *= 1 - p;
    for (size_t c = 1; c <= n; c++) {
        chance *= (double)(n - c + 1) / (double)c * p / (1 - p);
        double share = (double)c / (double)n;
        entropy -= WORDS * chance * share * log_double(share);
    }
    return entropy;
}

/* The loss of a reader that knows how often each word is in the batch, and has read its
 * sentence so far. The word behind the last one is in no batch. */
static double loss_with_counts(size_t batch) {
    double sum = log_double(WORDS);
    for (size_t t = 0; t + 1 < LENGTH; t++)
        sum += entropy_of_bag(batch * LENGTH - t - 1);
    return sum / LENGTH;
}

static void run_all(Leak *leak, uint64_t first_seed) {
    char *text = checked_alloc(TEXT, 1);
    Random r = random_stream(first_seed, STREAM_TEXT);
    for (size_t i = 0; i < TEXT; i++) text[i] = (char)random_below(&r, WORDS);
    leak->text = (Text){text, TEXT};
    size_t runs = NORMS * BATCHES * leak->seeds, done = 0;
    Progress progress = progress_begin("batchnorm-leak", runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < runs; i++) {
        size_t s = i % leak->seeds, norm = i / leak->seeds % NORMS,
               b = BATCHES - 1 - i / leak->seeds / NORMS; /* the longest runs first */
        leak->losses[norm][b][s] = losses_of(leak, norm, batches[b], first_seed + s);
#pragma omp critical
        progress_update(&progress, ++done, "batches of %zu", batches[b]);
    }
    progress_end(&progress);
    free(text);
}

static void write_losses(const Leak *leak, const char *directory) {
    Csv csv = csv_begin(directory, "batchnorm-leak",
                        "norm,batch,seed,training,exam,counts,guess");
    for (size_t norm = 0; norm < NORMS; norm++) {
        for (size_t b = 0; b < BATCHES; b++) {
            for (size_t s = 0; s < leak->seeds; s++) {
                const Losses *x = &leak->losses[norm][b][s];
                csv_row(&csv, "%s,%zu,%zu,%.6g,%.6g,%.6g,%.6g",
                        norm == BATCH ? "BatchNorm" : "LayerNorm", batches[b], s + 1,
                        x->training, x->exam, loss_with_counts(batches[b]),
                        log_double(WORDS));
            }
        }
    }
    csv_commit(&csv);
}

void experiment_batchnorm_leak(const Settings *settings) {
    static Leak leak;
    leak.seeds = settings->quick ? 2 : MAX_SEEDS;
    leak.steps = settings->quick ? QUICK_STEPS : STEPS;
    run_all(&leak, settings->seed);
    write_losses(&leak, settings->out);
    double guess = log_double(WORDS), read = 0, exam = INFINITY, layer = 0, large = 0;
    for (size_t s = 0; s < leak.seeds; s++) {
        const Losses *alone = &leak.losses[BATCH][0][s],
                     *many = &leak.losses[BATCH][BATCHES - 1][s];
        read = larger(read, alone->training);
        exam = smaller(exam, alone->exam);
        large = larger(large, fabs(many->training / guess - 1));
        for (size_t b = 0; b < BATCHES; b++)
            layer = larger(layer, fabs(leak.losses[LAYER][b][s].exam / guess - 1));
    }
    claim(
        read < 0.8 * guess,
        "BatchNorm, one sentence a batch: trained to %.2f or less where nothing can be "
        "predicted, a guess is ln(%d) = %.3f (below 0.8 of it)",
        read, WORDS, guess);
    claim(exam > guess + 0.5,
          "  and %.2f or more with running statistics (above a guess + 0.5)", exam);
    claim(large < 0.01 && layer < 0.02,
          "%zu sentences a batch: within %.2f %% of a guess (1); LayerNorm in any: "
          "within %.2f %% (2)",
          batches[BATCHES - 1], 100 * large, 100 * layer);
}
