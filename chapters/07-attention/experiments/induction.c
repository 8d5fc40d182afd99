/* A text that repeats itself with a period of its own: to go on with it, a model must
 * find where the present word stood before, and take the word after it. When does a
 * head appear that does so, and does the loss fall then? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "07-attention/experiments/experiments.h"
#include "07-attention/experiments/word_model.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"

enum {
    WORDS = 32,
    LENGTH = 32,
    SHORTEST = 8,
    LONGEST = 16,
    DIM = 32,
    BATCH = 32,
    TEST_BATCH = 64
};
enum {
    STEPS = 600,
    QUICK_STEPS = 60,
    EVERY = 20,
    POINTS = STEPS / EVERY + 1,
    SEEDS = 5,
    QUICK_SEEDS = 2
};
enum { STREAM_INIT = 1, STREAM_DATA, STREAM_TEST };

/* The trained models: the pair of layers, and two that lack something. */
typedef enum { TWO_LAYERS, ONE_LAYER, ONE_HEAD, MODELS } Model;
static const struct {
    size_t n_layer, n_head;
} models[MODELS] = {{2, 4}, {1, 4}, {2, 1}};

typedef struct {
    int tokens[LENGTH], targets[LENGTH];
} Sentence;

/* Different words, as many as the period says, and the same again. Only where the
 * present word has been seen before is there something to know of the next one: the
 * other targets do not count. */
static void make_sentence(Sentence *x, Random *r) {
    int words[WORDS];
    size_t period = SHORTEST + random_below(r, LONGEST - SHORTEST + 1);
    for (size_t i = 0; i < WORDS; i++) words[i] = (int)i;
    for (size_t i = 0; i < period; i++) { /* the first words of a shuffled list */
        size_t j = i + random_below(r, (uint32_t)(WORDS - i));
        int other = words[j];
        words[j] = words[i];
        words[i] = other;
    }
    for (size_t i = 0; i < LENGTH; i++) {
        x->tokens[i] = words[i % period];
        x->targets[i] = i < period ? IGNORE_TARGET : words[(i + 1) % period];
    }
}

static void make_batch(int *tokens, int *targets, size_t batch, Random *r) {
    for (size_t b = 0; b < batch; b++) {
        Sentence x;
        make_sentence(&x, r);
        memcpy(tokens + b * LENGTH, x.tokens, sizeof x.tokens);
        memcpy(targets + b * LENGTH, x.targets, sizeof x.targets);
    }
}

/* One measurement: the loss where the next word can be known, and two scores of
 * heads. */
typedef struct {
    double loss;
    /* the first layer's best head: its mean weight on the word before */
    double previous;
    /* the last layer's best head: on the words after earlier copies */
    double induction;
    size_t previous_head, induction_head;
} Measured;

//> scores
/* Row t of one head: its weight on words after earlier copies of word t. */
static double weight_after_copies(const float *row, const int *tokens, size_t t) {
    double sum = 0;
    for (size_t s = 1; s <= t; s++) {
        if (tokens[s - 1] == tokens[t]) sum += (double)row[s];
    }
    return sum;
}
//< scores

/* The mean over all rows that have a word before them, and over those whose word has an
 * earlier copy. */
static void score_head(double *previous, double *induction, const Tensor *weights,
                       size_t head, const int *tokens, const int *targets) {
    size_t rows = 0, copies = 0;
    *previous = *induction = 0;
    for (size_t i = 0; i < TEST_BATCH * LENGTH; i++) {
        size_t b = i / LENGTH, t = i % LENGTH;
        const float *row =
            weights->data + ((b * weights->shape[1] + head) * LENGTH + t) * LENGTH;
        if (t > 0) {
            *previous += (double)row[t - 1];
            rows++;
        }
        if (targets[i] == IGNORE_TARGET) continue;
        *induction += weight_after_copies(row, tokens + b * LENGTH, t);
        copies++;
    }
    *previous /= (double)rows;
    *induction /= (double)copies;
}

static Measured measure(Tape *t, const WordModel *m, uint64_t seed) {
    int tokens[TEST_BATCH * LENGTH], targets[TEST_BATCH * LENGTH];
    Tensor *weights[WORD_MODEL_LAYERS];
    Random r = random_stream(seed, STREAM_TEST);
    make_batch(tokens, targets, TEST_BATCH, &r);
    tape_reset(t);
    Tensor *logits = word_model_logits(t, m, tokens, TEST_BATCH, LENGTH, weights);
    Measured x = {.loss = (double)cross_entropy(t, logits, targets)->data[0]};
    for (size_t h = 0; h < m->config.n_head; h++) {
        double previous, induction, ignored;
        score_head(&previous, &ignored, weights[0], h, tokens, targets);
        score_head(&ignored, &induction, weights[m->config.n_layer - 1], h, tokens,
                   targets);
        if (previous > x.previous) {
            x.previous = previous;
            x.previous_head = h;
        }
        if (induction > x.induction) {
            x.induction = induction;
            x.induction_head = h;
        }
    }
    return x;
}

/* Two heads' weights on one sentence. */
typedef struct {
    int tokens[LENGTH];
    float weights[2][LENGTH * LENGTH];
} Maps;

enum { PAIR_LAYERS = 2, PAIR_HEADS = 4 };

typedef struct {
    Measured at[POINTS];
    Maps maps; /* of the end: the best head of the first layer and of the last */
    Measured without[PAIR_LAYERS][PAIR_HEADS]; /* at the end, each head cut out */
} Run;

static void keep_maps(Maps *maps, Tape *t, const WordModel *m, const Measured *end,
                      uint64_t seed) {
    const size_t layers[2] = {0, m->config.n_layer - 1},
                 heads[2] = {end->previous_head, end->induction_head};
    Tensor *weights[WORD_MODEL_LAYERS];
    Random r = random_stream(seed, STREAM_TEST);
    Sentence x;
    make_sentence(&x, &r);
    tape_reset(t);
    word_model_logits(t, m, x.tokens, 1, LENGTH, weights);
    memcpy(maps->tokens, x.tokens, sizeof x.tokens);
    for (size_t i = 0; i < 2; i++) {
        memcpy(maps->weights[i], weights[layers[i]]->data + heads[i] * LENGTH * LENGTH,
               sizeof maps->weights[i]);
    }
}

/* Ablation: the model without one head, as if its output were 0. c_proj's rows of this
 * head are 0 for a while. */
static Measured measure_without(Tape *t, const WordModel *m, size_t layer, size_t head,
                                uint64_t seed) {
    enum { MOST = DIM * DIM };
    float kept[MOST], *data = m->attention[layer].c_proj.weight->data;
    size_t n = MOST / m->config.n_head;
    memcpy(kept, data + head * n, n * sizeof *kept);
    memset(data + head * n, 0, n * sizeof *data);
    Measured x = measure(t, m, seed);
    memcpy(data + head * n, kept, n * sizeof *kept);
    return x;
}

static void train(Run *run, Model model, size_t steps, uint64_t seed) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Random init = random_stream(seed, STREAM_INIT),
           data = random_stream(seed, STREAM_DATA);
    WordModelConfig config = {.n_words = WORDS,
                              .length = LENGTH,
                              .n_layer = models[model].n_layer,
                              .d_model = DIM,
                              .n_head = models[model].n_head,
                              .causal = true,
                              .norm = NORM_LAYER};
    WordModel m = word_model_create(&config, &init);
    AdamW optimizer = adamw_create(&m.params, 3e-3f, 0);
    Tape t = tape_create(seed);
    for (size_t step = 0; step <= steps; step++) {
        if (step % EVERY == 0) run->at[step / EVERY] = measure(&t, &m, seed);
        make_batch(tokens, targets, BATCH, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        tape_backward(
            &t,
            cross_entropy(&t, word_model_logits(&t, &m, tokens, BATCH, LENGTH, NULL),
                          targets));
        adamw_step(&optimizer, &m.params);
    }
    keep_maps(&run->maps, &t, &m, &run->at[steps / EVERY], seed);
    for (size_t i = 0; model == TWO_LAYERS && i < PAIR_LAYERS * PAIR_HEADS; i++) {
        size_t layer = i / PAIR_HEADS, head = i % PAIR_HEADS;
        run->without[layer][head] = measure_without(&t, &m, layer, head, seed);
    }
    adamw_free(&optimizer);
    word_model_free(&m);
    tape_free(&t);
}

/* --- rows and claims --- */

/* The steps at which a run's loss first lies below half of its first value, and its
 * score above 1/2; 0: never. */
typedef struct {
    size_t loss, score;
} Steps;

static Steps steps_of(const Run *run, size_t points) {
    Steps x = {0, 0};
    for (size_t i = points; i-- > 0;) {
        if (run->at[i].loss < run->at[0].loss / 2) x.loss = i * EVERY;
        if (run->at[i].induction > 0.5) x.score = i * EVERY;
    }
    return x;
}

typedef struct {
    size_t seeds, points;
    Run run[MODELS][SEEDS];
} Runs;

static const Measured *end_of(const Runs *runs, Model model, size_t seed) {
    return &runs->run[model][seed].at[runs->points - 1];
}

static void write_curves(const Settings *settings, const Runs *runs) {
    Csv csv = csv_begin(settings->out, "induction",
                        "layers,heads,seed,step,loss,previous,induction");
    for (size_t i = 0; i < MODELS * runs->seeds * runs->points; i++) {
        size_t model = i / runs->points / runs->seeds,
               s = i / runs->points % runs->seeds, p = i % runs->points;
        const Measured *x = &runs->run[model][s].at[p];
        csv_row(&csv, "%zu,%zu,%zu,%zu,%.6g,%.6g,%.6g", models[model].n_layer,
                models[model].n_head, s + 1, p * EVERY, x->loss, x->previous,
                x->induction);
    }
    csv_commit(&csv);
    csv = csv_begin(settings->out, "maps", "t,s,word,previous,induction");
    const Maps *maps = &runs->run[TWO_LAYERS][0].maps;
    for (size_t i = 0; i < LENGTH * LENGTH; i++) {
        csv_row(&csv, "%zu,%zu,%d,%.4g,%.4g", i / LENGTH, i % LENGTH,
                maps->tokens[i % LENGTH], (double)maps->weights[0][i],
                (double)maps->weights[1][i]);
    }
    csv_commit(&csv);
}

static void write_ends(const Settings *settings, const Runs *runs) {
    Csv csv =
        csv_begin(settings->out, "induction-end",
                  "layers,heads,seed,loss_step,score_step,loss,previous,induction");
    printf("  the steps where the loss is halved and the score is 1/2 (0: never), and "
           "both at the end\n");
    printf("  layers  heads  seed   loss halved  score above 1/2   loss at the end  "
           "score\n");
    for (size_t i = 0; i < MODELS * runs->seeds; i++) {
        size_t model = i / runs->seeds, s = i % runs->seeds;
        const Measured *x = end_of(runs, (Model)model, s);
        Steps steps = steps_of(&runs->run[model][s], runs->points);
        csv_row(&csv, "%zu,%zu,%zu,%zu,%zu,%.6g,%.6g,%.6g", models[model].n_layer,
                models[model].n_head, s + 1, steps.loss, steps.score, x->loss,
                x->previous, x->induction);
        printf("  %6zu  %5zu  %4zu  %12zu  %15zu  %16.3f  %5.2f\n",
               models[model].n_layer, models[model].n_head, s + 1, steps.loss,
               steps.score, x->loss, x->induction);
    }
    csv_commit(&csv);
}

static void write_ablation(const Settings *settings, const Runs *runs) {
    Csv csv =
        csv_begin(settings->out, "ablation", "seed,layer,head,role,loss,induction");
    printf("  two layers, each head cut out in turn: the loss, and the score that is "
           "left\n");
    for (size_t i = 0; i < runs->seeds * PAIR_LAYERS * PAIR_HEADS; i++) {
        size_t s = i / PAIR_HEADS / PAIR_LAYERS, layer = i / PAIR_HEADS % PAIR_LAYERS,
               head = i % PAIR_HEADS;
        const Measured *end = end_of(runs, TWO_LAYERS, s),
                       *x = &runs->run[TWO_LAYERS][s].without[layer][head];
        bool best = head == (layer == 0 ? end->previous_head : end->induction_head);
        const char *role = !best ? "other" : layer == 0 ? "previous" : "induction";
        csv_row(&csv, "%zu,%zu,%zu,%s,%.6g,%.6g", s + 1, layer + 1, head + 1, role,
                x->loss, x->induction);
        printf("  seed %zu  layer %zu  head %zu  %-9s  %6.3f  %5.2f\n", s + 1,
               layer + 1, head + 1, role, x->loss, x->induction);
    }
    csv_commit(&csv);
}

static void claim_pair(const Runs *runs) {
    double apart = 0, score = INFINITY, loss = 0;
    for (size_t s = 0; s < runs->seeds; s++) {
        const Measured *x = end_of(runs, TWO_LAYERS, s);
        Steps steps = steps_of(&runs->run[TWO_LAYERS][s], runs->points);
        bool both = steps.loss > 0 && steps.score > 0;
        apart = larger(apart, both ? fabs((double)steps.loss - (double)steps.score)
                                   : INFINITY);
        score = smaller(score, x->induction);
        loss = larger(loss, x->loss);
    }
    claim(score > 0.7 && loss < 0.2,
          "two layers: the best head puts %.2f or more after copies (above 0.7); loss "
          "%.3f or less (below "
          "0.2)",
          score, loss);
    claim(apart <= 60,
          "both move together: the loss is halved within %.0f steps of the score's 1/2 "
          "(at most 60)",
          apart);
}

/* The loss that cutting out the first layer's best head costs, and the costliest other
 * head of the model. */
static void claim_ablation(const Runs *runs) {
    double least = INFINITY, lead = INFINITY, score = 0;
    for (size_t s = 0; s < runs->seeds; s++) {
        const Run *run = &runs->run[TWO_LAYERS][s];
        const Measured *end = end_of(runs, TWO_LAYERS, s),
                       *cut = &run->without[0][end->previous_head];
        least = smaller(least, cut->loss);
        score = larger(score, cut->induction);
        for (size_t i = 0; i < PAIR_LAYERS * PAIR_HEADS; i++) {
            const Measured *x = &run->without[i / PAIR_HEADS][i % PAIR_HEADS];
            if (x != cut) lead = smaller(lead, cut->loss - x->loss);
        }
    }
    claim(least > 0.3 && lead > 0 && score < 0.9,
          "without its previous-token head a model has a loss of %.2f or more (above "
          "0.3), more than without any other; the score is %.2f or less (below 0.9)",
          least, score);
}

static void claim_others(const Runs *runs) {
    double score = 0, loss = INFINITY;
    size_t formed = 0, without = 0;
    for (size_t s = 0; s < runs->seeds; s++) {
        score = larger(score, end_of(runs, ONE_LAYER, s)->induction);
        loss = smaller(loss, end_of(runs, ONE_LAYER, s)->loss);
        const Measured *x = end_of(runs, ONE_HEAD, s);
        formed += x->induction > 0.5;
        without += x->induction <= 0.5 && x->loss < 0.2;
    }
    claim(score < 0.3 && loss > 1.5,
          "one layer: no head scores above %.2f (below 0.3), the loss stays at %.2f or "
          "more (above 1.5)",
          score, loss);
    claim(without == 0,
          "two layers of one head: it appears in %zu of %zu seeds, and in no other is "
          "the loss below 0.2",
          formed, runs->seeds);
}

void experiment_induction(const Settings *settings) {
    static Runs runs;
    size_t steps = settings->quick ? QUICK_STEPS : STEPS;
    runs.seeds = settings->quick ? QUICK_SEEDS : SEEDS;
    runs.points = steps / EVERY + 1;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < MODELS * runs.seeds; i++) { /* the longest runs first */
        train(&runs.run[i / runs.seeds][i % runs.seeds], (Model)(i / runs.seeds), steps,
              settings->seed + i % runs.seeds);
    }
    write_curves(settings, &runs);
    write_ends(settings, &runs);
    write_ablation(settings, &runs);
    claim_pair(&runs);
    claim_ablation(&runs);
    claim_others(&runs);
}
