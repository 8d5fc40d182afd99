/* One table for reading and for writing, or two: loss and parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/softmax_layer.h"
#include "06-embeddings/experiments/class_model.h"
#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"

enum { STREAM_TEST = 3, WIDE = CLASS_HIDDEN / 2, TESTS = 4096, SEEDS = 3, RATES = 4 };
enum { STEPS = 1500, EARLY = 300, EVERY = 100, POINTS = STEPS / EVERY + 1 };

enum { TIED, UNTIED, NARROW, MODELS };

static const struct {
    const char *name;
    bool tied;
    size_t dim;
} models[MODELS] = {
    {"tied", true, WIDE}, {"untied", false, WIDE}, {"narrow", false, WIDE / 2}};

static const float rates[RATES] = {1e-3f, 3e-3f, 1e-2f, 3e-2f};

static double measure(const ClassModel *m, const ClassLanguage *l, uint64_t seed) {
    static int words[TESTS], next[TESTS];
    Random r = random_stream(seed, STREAM_TEST);
    class_language_pairs(words, next, TESTS, l, &r);
    Tape t = tape_for_inference();
    Tensor *logits = class_model_logits(&t, m, words, TESTS);
    double loss = (double)cross_entropy(&t, logits, next)->data[0];
    tape_free(&t);
    return loss;
}

typedef struct {
    double loss[POINTS]; /* before the first step and after every EVERY */
    size_t parameters;
    float rate;
} Result;

typedef struct {
    Result *result;
    const ClassLanguage *language;
    uint64_t seed;
} Watched;

static void watch(void *context, const ClassModel *m, size_t step) {
    Watched *w = context;
    if (step % EVERY == 0)
        w->result->loss[step / EVERY] = measure(m, w->language, w->seed);
}

static void train(Result *result, size_t kind, float rate, size_t steps,
                  uint64_t seed) {
    ClassLanguage language = class_language_create(seed);
    ClassModel m = class_model_create(models[kind].tied, models[kind].dim, seed);
    class_model_train(&m, &language, rate, steps, seed, watch,
                      &(Watched){result, &language, seed});
    result->rate = rate;
    result->parameters = params_count(&m.params);
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
    Csv csv = csv_begin(settings->out, "tying",
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
