/* The mistakes once more: what they do to the loss of models that know nothing, and of
 * trained ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/experiments/small_gpt2.h"
#include "10-gpt2/experiments/wrong_models.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

/* one short: positions may begin at 1 */
enum { TEXTS = 64, LENGTH = SMALL_CONTEXT - 1, MAX_SEEDS = 5 };

typedef struct {
    double loss[N_MISTAKES];
    int lower; /* how many of the mistakes make it smaller */
} Losses;

/* The model of a judge without numbers to compare with: every weight drawn anew, a gain
 * around 1. */
static Gpt2 *random_model(uint64_t seed) {
    const float std = 0.2f;
    Random random = random_create(seed);
    Gpt2Config config = gpt2_config(SMALL_VOCAB, SMALL_CONTEXT, 2, 4, SMALL_WIDTH);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        bool is_gain = strstr(p->name, "ln_") && strstr(p->name, ".weight");
        size_t n = tensor_size(p->tensor);
        random_fill_normal(&random, p->tensor->data, n, std);
        for (size_t k = 0; is_gain && k < n; k++) p->tensor->data[k] += 1.0f;
    }
    return model;
}

static double loss_with(const Gpt2 *right, const Mistake *mistake,
                        const Gpt2Input *text, const int *targets) {
    Gpt2 *model = wrong_model(right, mistake);
    int *positions = wrong_positions(mistake, text->batch, text->length);
    Gpt2Input input = *text;
    input.positions = positions;
    Tape t = tape_for_inference();
    double loss = (double)gpt2_loss(&t, model, &input, targets)->data[0];
    tape_free(&t);
    free(positions);
    gpt2_free(model);
    return loss;
}

/* All mistakes in one model, on a text that no model was trained on. */
static Losses measure(const Gpt2 *right) {
    Bytes text = small_gpt2_text(1000, TEXTS * (LENGTH + 1));
    int inputs[TEXTS * LENGTH], targets[TEXTS * LENGTH];
    for (size_t i = 0; i < TEXTS * LENGTH; i++) {
        size_t at = i / LENGTH * (LENGTH + 1) + i % LENGTH;
        inputs[i] = text.tokens[at];
        targets[i] = text.tokens[at + 1];
    }
    free(text.tokens);
    Gpt2Input input = {.tokens = inputs, .batch = TEXTS, .length = LENGTH};
    Losses l = {0};
    for (size_t i = 0; i < N_MISTAKES; i++) {
        l.loss[i] = loss_with(right, &mistakes[i], &input, targets);
        l.lower += l.loss[i] < l.loss[0];
    }
    return l;
}

static void log_losses(Csv *csv, Csv *counts, const char *weights, uint64_t seed,
                       const Losses *l) {
    unsigned long long number = seed;
    for (size_t i = 1; i < N_MISTAKES; i++)
        csv_row(csv, "%s,%llu,%zu,%s,%.6g,%.6g", weights, number, i, mistakes[i].name,
                l->loss[i], l->loss[i] - l->loss[0]);
    csv_row(counts, "%s,%llu,%.6g,%d,%d", weights, number, l->loss[0], l->lower,
            N_MISTAKES - 1 - l->lower);
}

/* The mean change of the loss by each mistake, beside each other. */
static void print_means(const Losses *random, const Losses *trained, size_t n) {
    printf("mean change of the loss over %zu seeds:\n%-20s %10s %12s\n", n, "mistake",
           "random", "trained");
    for (size_t i = 1; i < N_MISTAKES; i++) {
        double sums[2] = {0};
        for (size_t s = 0; s < n; s++) {
            sums[0] += (random[s].loss[i] - random[s].loss[0]) / (double)n;
            sums[1] += (trained[s].loss[i] - trained[s].loss[0]) / (double)n;
        }
        printf("%-20s %+10.4f %+12.4f\n", mistakes[i].name, sums[0], sums[1]);
    }
}

void experiment_mistakes_loss(const Settings *settings) {
    Losses random[MAX_SEEDS], trained[MAX_SEEDS];
    size_t n_seeds = settings->quick ? 1 : MAX_SEEDS,
           steps = settings->quick ? 100 : 1000;
    Csv csv = csv_begin(settings->out, "mistakes-loss",
                        "weights,seed,order,mistake,loss,change");
    Csv counts =
        csv_begin(settings->out, "mistakes-count", "weights,seed,loss,lower,higher");
    for (size_t s = 0; s < n_seeds; s++) {
        uint64_t seed = settings->seed + s;
        Gpt2 *model = random_model(seed);
        random[s] = measure(model);
        gpt2_free(model);
        Bytes text = small_gpt2_text(seed, 1000000);
        model = small_gpt2_train(&text, steps, seed);
        trained[s] = measure(model);
        gpt2_free(model);
        free(text.tokens);
        log_losses(&csv, &counts, "random", seed, &random[s]);
        log_losses(&csv, &counts, "trained", seed, &trained[s]);
    }
    csv_commit(&csv);
    csv_commit(&counts);
    print_means(random, trained, n_seeds);
    double lower = 0, most = 0, worst = 0, unseen = 0;
    for (size_t s = 0; s < n_seeds; s++) {
        lower += random[s].lower / (double)n_seeds;
        most = larger(most, trained[s].lower);
        for (size_t i = 1; i <= 2; i++)
            unseen = larger(unseen, fabs(trained[s].loss[i] - trained[s].loss[0]));
        worst = larger(worst, trained[s].loss[0]);
    }
    claim(lower > 4 && lower < 10,
          "random weights: %.1f of the %d mistakes make the loss smaller, about half",
          lower, N_MISTAKES - 1);
    claim(most <= 3,
          "trained, at a loss of %.2f or less: at most %.0f of them, in each of "
          "%zu models",
          worst, most, n_seeds);
    claim(unseen < 1e-3,
          "the two smallest mistakes move the loss by less than 0.001 there, at most "
          "%.1e",
          unseen);
}
