/* Training and validation loss on a small part of tiny Shakespeare, by the size of the
 * model. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "10-gpt2/reading.h"
#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "11-training/training_run.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum {
    SIZES = 3,
    STEPS = 480,
    EVERY = 30,
    POINTS = STEPS / EVERY,
    LENGTH = 64,
    BATCH = 8
};
enum { PART = 4096, WINDOWS = 200 };
static const size_t widths[SIZES] = {24, 48, 96};
static const char where[] = "data/tinyshakespeare.txt";

typedef struct {
    double parameters, train[POINTS], validation[POINTS];
} TextRun;

typedef struct {
    size_t n_seeds, n_points, n_tokens; /* of the part that is trained on */
    TextRun run[SIZES][RUN_SEEDS];
} Texts;

/* The training loss of a point is the mean of the steps since the one before. */
static void train(TextRun *run, size_t width, size_t points, const Dataset *data,
                  uint64_t seed) {
    Gpt2Config model = gpt2_config(data->n_vocab, LENGTH, 2, 4, width);
    TrainSettings s = train_settings(&model);
    s.batch = BATCH;
    s.steps = points * EVERY;
    s.warmup = EVERY;
    s.learning_rate = 6e-3f;
    s.lowest_rate = 6e-4f;
    s.seed = seed;
    Trainer t = trainer_create(&s, data, NULL);
    run->parameters = (double)params_count(&t.model->params);
    for (size_t i = 0; i < points; i++) {
        run->train[i] = 0;
        while (t.step < (i + 1) * EVERY)
            run->train[i] += (double)trainer_step(&t).loss / EVERY;
        run->validation[i] = trainer_validate(&t, WINDOWS);
    }
    trainer_free(&t);
}

static size_t best_point(const Texts *x, size_t size, size_t k) {
    const TextRun *run = &x->run[size][k];
    size_t best = 0;
    for (size_t i = 1; i < x->n_points; i++) {
        if (run->validation[i] < run->validation[best]) best = i;
    }
    return best;
}

static void write_losses(const Texts *x, const char *directory) {
    Csv csv = csv_begin(directory, "shakespeare",
                        "parameters,step,epoch,seed,train,validation");
    Csv best = csv_begin(directory, "shakespeare-best",
                         "parameters,seed,step,best,last,train");
    for (size_t size = 0; size < SIZES; size++) {
        for (size_t k = 0; k < x->n_seeds; k++) {
            const TextRun *run = &x->run[size][k];
            for (size_t i = 0; i < x->n_points; i++) {
                size_t step = (i + 1) * EVERY;
                csv_row(&csv, "%.0f,%zu,%.6g,%zu,%.6g,%.6g", run->parameters, step,
                        (double)(step * BATCH * LENGTH) / (double)x->n_tokens, k + 1,
                        run->train[i], run->validation[i]);
            }
            size_t at = best_point(x, size, k), last = x->n_points - 1;
            csv_row(&best, "%.0f,%zu,%zu,%.6g,%.6g,%.6g", run->parameters, k + 1,
                    (at + 1) * EVERY, run->validation[at], run->validation[last],
                    run->train[last]);
            printf("  %6.0f parameters, seed %zu: best %.3f at step %3zu, at the end "
                   "%.3f (training %.3f)\n",
                   run->parameters, k + 1, run->validation[at], (at + 1) * EVERY,
                   run->validation[last], run->train[last]);
        }
    }
    csv_commit(&csv);
    csv_commit(&best);
}

static void claim_overfitting(const Texts *x) {
    size_t last = x->n_points - 1, sooner = 0;
    double rise = INFINITY;
    for (size_t k = 0; k < x->n_seeds; k++) {
        const TextRun *large = &x->run[SIZES - 1][k];
        size_t at = best_point(x, SIZES - 1, k);
        rise = smaller(rise, large->validation[last] - large->validation[at]);
        sooner += at < best_point(x, 0, k);
    }
    claim(
        rise > 0.1,
        "the largest model ends %.2f or more above its best validation loss, above 0.1",
        rise);
    claim(sooner == x->n_seeds,
          "its best comes before the smallest model's in %zu of %zu seeds (all)",
          sooner, x->n_seeds);
}

void experiment_shakespeare(const Settings *settings) {
    const char *path = reading.text ? reading.text : where;
    if (!reading.text && access(path, R_OK) != 0) {
        printf("  skipped: there is no %s ('make data' fetches it, --text FILE names "
               "another)\n",
               where);
        return;
    }
    static Texts x;
    x.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    x.n_points = settings->quick ? 2 : POINTS;
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_text(bytes, path, LENGTH);
    if (data.train.n > PART) data.train.n = PART;
    x.n_tokens = data.train.n;
    size_t n_runs = SIZES * x.n_seeds, done = 0;
    Progress progress = progress_begin("shakespeare", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t size = SIZES - 1 - run / x.n_seeds, k = run % x.n_seeds;
        train(&x.run[size][k], widths[size], x.n_points, &data, settings->seed + k);
#pragma omp critical
        progress_update(&progress, ++done, "width %zu", widths[size]);
    }
    progress_end(&progress);
    write_losses(&x, settings->out);
    claim_overfitting(&x);
    dataset_free(&data);
    tokenizer_free(bytes);
}
