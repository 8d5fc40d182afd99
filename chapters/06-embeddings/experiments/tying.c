/* One table for reading and for writing, or two: loss and parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "06-embeddings/embedding.h"
#include "06-embeddings/experiments/class_language.h"
#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/operations.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };
enum { WIDE = 32, BATCH = 128, TESTS = 4096, SEEDS = 3, RATES = 2 };
enum { STEPS = 1500, EARLY = 300, EVERY = 100, POINTS = STEPS / EVERY + 1 };

enum { TIED, UNTIED, NARROW, MODELS };

static const struct {
    const char *name;
    bool tied;
    size_t dim;
} models[MODELS] = {
    {"tied", true, WIDE}, {"untied", false, WIDE}, {"narrow", false, WIDE / 2}};

static const float rates[RATES] = {3e-3f, 1e-2f};

typedef struct {
    Params params;
    Tensor *wte, *out; /* [LANGUAGE_WORDS, dim]; the same one when tied */
    Linear up, down;
} Model;

static Tensor *table(Params *params, Random *init, size_t dim, const char *name) {
    Tensor *rows = params_add(params, 2, (size_t[]){LANGUAGE_WORDS, dim}, name);
    random_fill_normal(init, rows->data, tensor_size(rows), 0.02f);
    return rows;
}

static Model model_create(size_t kind, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Model m = {.params = {.mode = PARAMS_TRAIN}};
    size_t dim = models[kind].dim;
    m.wte = table(&m.params, &init, dim, "wte.weight");
    m.out = models[kind].tied ? m.wte : table(&m.params, &init, dim, "lm_head.weight");
    m.up = linear_create(&m.params, &init, dim, 2 * WIDE, true, 0.2f, "up");
    m.down = linear_create(&m.params, &init, 2 * WIDE, dim, true, 0.2f, "down");
    return m;
}

//> tying
static Tensor *logits(Tape *t, const Model *m, const int *words, size_t n) {
    Tensor *x = embedding(t, m->wte, words, 1, (size_t[]){n}, NO_PADDING);
    x = tape_add(t, x, linear(t, &m->down, relu(t, linear(t, &m->up, x))));
    return linear(t, &(Linear){.weight = transpose(t, m->out)}, x);
}
//< tying

static double measure(const Model *m, const ClassLanguage *l, uint64_t seed) {
    static int words[TESTS], next[TESTS];
    Random r = random_stream(seed, STREAM_TEST);
    class_language_pairs(words, next, TESTS, l, &r);
    Tape t = tape_for_inference();
    double loss = (double)cross_entropy(&t, logits(&t, m, words, TESTS), next)->data[0];
    tape_free(&t);
    return loss;
}

typedef struct {
    double loss[POINTS]; /* before the first step and after every EVERY */
    size_t parameters;
    float rate;
} Result;

static void train(Result *result, size_t kind, float rate, size_t steps,
                  uint64_t seed) {
    int words[BATCH], next[BATCH];
    ClassLanguage language = class_language_create(seed);
    Model m = model_create(kind, seed);
    AdamW optimizer = adamw_create(&m.params, rate, 0);
    Random data = random_stream(seed, STREAM_DATA);
    Tape t = tape_create(seed);
    for (size_t step = 0; step <= steps; step++) {
        if (step % EVERY == 0)
            result->loss[step / EVERY] = measure(&m, &language, seed);
        class_language_pairs(words, next, BATCH, &language, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        tape_backward(&t, cross_entropy(&t, logits(&t, &m, words, BATCH), next));
        adamw_step(&optimizer, &m.params);
    }
    result->rate = rate;
    result->parameters = params_count(&m.params);
    tape_free(&t);
    adamw_free(&optimizer);
    params_free(&m.params);
}

/* The runs of a model at the rate where its mean loss ends lower. */
static void train_at_best_rate(Result results[SEEDS], size_t kind, size_t steps,
                               size_t seeds, uint64_t seed) {
    double best = INFINITY;
    for (size_t i = 0; i < RATES; i++) {
        Result tried[SEEDS];
        double sum = 0;
        for (size_t k = 0; k < seeds; k++) {
            train(&tried[k], kind, rates[i], steps, seed + k);
            sum += tried[k].loss[steps / EVERY];
        }
        if (sum < best) memcpy(results, tried, sizeof tried);
        best = sum < best ? sum : best;
    }
}

/* How far model `a` is below model `b` at one point of the curves, over the seeds. */
static Spread lead(Result results[MODELS][SEEDS], size_t a, size_t b, size_t seeds,
                   size_t point) {
    double leads[SEEDS];
    for (size_t k = 0; k < seeds; k++)
        leads[k] = results[b][k].loss[point] - results[a][k].loss[point];
    return spread_of(leads, seeds, 1);
}

static void write_csv(const Settings *settings, Result results[MODELS][SEEDS],
                      size_t seeds, size_t last) {
    Csv csv = csv_begin(settings->out, "06-tying",
                        "model,rate,seed,step,parameters,loss,floor,above");
    for (size_t kind = 0; kind < MODELS; kind++) {
        for (size_t k = 0; k < seeds; k++) {
            ClassLanguage l = class_language_create(settings->seed + k);
            const Result *r = &results[kind][k];
            double floor = class_language_floor(&l);
            for (size_t i = 0; i <= last; i++) {
                csv_row(&csv, "%s,%g,%zu,%zu,%zu,%.6g,%.6g,%.6g", models[kind].name,
                        (double)r->rate, k + 1, i * EVERY, r->parameters, r->loss[i],
                        floor, r->loss[i] - floor);
            }
            printf("  %-7s seed %zu: rate %g, %zu parameters, %.3f above the floor of "
                   "%.3f\n",
                   models[kind].name, k + 1, (double)r->rate, r->parameters,
                   r->loss[last] - floor, floor);
        }
    }
    csv_commit(&csv);
}

void experiment_tying(const Settings *settings) {
    static Result results[MODELS][SEEDS];
    size_t steps = settings->quick ? EVERY : STEPS, seeds = settings->quick ? 1 : SEEDS;
    for (size_t kind = 0; kind < MODELS; kind++) {
        train_at_best_rate(results[kind], kind, steps, seeds, settings->seed);
    }
    write_csv(settings, results, seeds, steps / EVERY);
    Spread early =
               lead(results, UNTIED, TIED, seeds, settings->quick ? 1 : EARLY / EVERY),
           late = lead(results, TIED, UNTIED, seeds, steps / EVERY),
           narrow = lead(results, TIED, NARROW, seeds, steps / EVERY);
    claim(early.mean > 0, "two tables are ahead at step %d, by %.3f on average", EARLY,
          early.mean);
    claim(late.low > 0,
          "one table is ahead after %zu steps, by %.3f or more in every seed", steps,
          late.low);
    claim(narrow.low > 0,
          "and ahead of two tables with nearly as many parameters, by %.3f or more",
          narrow.low);
}
