/* Say the two words before this one, in their order: one layer of attention with one
 * head or several, of the same number of weights. And the same heads without the
 * division by the root of their dimension. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "07-attention/experiments/experiments.h"
#include "07-attention/experiments/word_model.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/claim.h"
#include "program/progress.h"

enum { WORDS = 8, PAIRS = WORDS * WORDS, LENGTH = 16, DIM = 64, BATCH = 32 };
enum { STEPS = 400, EVERY = 20, POINTS = STEPS / EVERY, MAX_SEEDS = 5 };
enum { STREAM_INIT = 1, STREAM_DATA };

static const size_t heads[] = {1, 2, 4, 8};
enum { HEADS = sizeof heads / sizeof *heads, KINDS = 2 * HEADS };

/* One kind of model: so many heads, divided by the root of their dimension or not. */
typedef struct {
    size_t n_head;
    bool divided;
} Kind;

static void sentences(int *tokens, int *targets, Random *r) {
    for (size_t i = 0; i < BATCH * LENGTH; i++) {
        tokens[i] = (int)random_below(r, WORDS);
        targets[i] =
            i % LENGTH < 2 ? IGNORE_TARGET : tokens[i - 2] * WORDS + tokens[i - 1];
    }
}

/* Scores that are not divided are those of queries that are sqrt(d) times as large. So
 * the columns of c_attn that make queries begin sqrt(d) times as large, and move so in
 * each step, as does the bias: Adam's step does not depend on the size of a gradient.
 * Row DIM is the bias. */
typedef struct {
    const Linear *c_attn;
    float factor;
    float before[DIM + 1][DIM];
} Queries;

static float *query_row(const Queries *q, size_t row) {
    return row < DIM ? q->c_attn->weight->data + row * 3 * DIM : q->c_attn->bias->data;
}

static void queries_keep(Queries *q) {
    for (size_t i = 0; i <= DIM; i++)
        memcpy(q->before[i], query_row(q, i), sizeof q->before[i]);
}

static void queries_move(Queries *q) {
    for (size_t i = 0; i <= DIM; i++) {
        float *row = query_row(q, i);
        for (size_t j = 0; j < DIM; j++)
            row[j] = q->before[i][j] + q->factor * (row[j] - q->before[i][j]);
    }
}

/* Means over the rows of all heads, in one batch of new sentences: the weight on the
 * word before, on the one before that, and the larger of these two. */
typedef struct {
    double one_back, two_back, larger;
} Weights;

static void measure_weights(Weights *mean, Tape *t, const WordModel *m, Random *data) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Tensor *weights;
    size_t rows = BATCH * m->config.n_head * LENGTH, n = rows / LENGTH * (LENGTH - 2);
    sentences(tokens, targets, data);
    tape_reset(t);
    word_model_logits(t, m, tokens, BATCH, LENGTH, &weights);
    *mean = (Weights){0};
    for (size_t row = 0; row < rows; row++) {
        size_t position = row % LENGTH;
        if (position < 2) continue;
        const float *w = weights->data + row * LENGTH + position;
        double one = (double)w[-1], two = (double)w[-2];
        mean->one_back += one / (double)n;
        mean->two_back += two / (double)n;
        mean->larger += larger(one, two) / (double)n;
    }
}

static void train(double *losses, Weights *end, Kind kind, size_t steps,
                  uint64_t seed) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Random init = random_stream(seed, STREAM_INIT),
           data = random_stream(seed, STREAM_DATA);
    WordModelConfig config = {.n_words = PAIRS,
                              .length = LENGTH,
                              .n_layer = 1,
                              .d_model = DIM,
                              .n_head = kind.n_head,
                              .causal = true,
                              .norm = NORM_LAYER};
    WordModel m = word_model_create(&config, &init);
    float root = kind.divided ? 1 : sqrtf((float)DIM / (float)kind.n_head);
    Queries queries = {&m.attention[0].c_attn, root, {{0}}};
    queries_move(&queries);
    AdamW optimizer = adamw_create(&m.params, 3e-3f, 0);
    Tape t = tape_create(seed);
    for (size_t step = 0; step < steps; step++) {
        sentences(tokens, targets, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        Tensor *loss = cross_entropy(
            &t, word_model_logits(&t, &m, tokens, BATCH, LENGTH, NULL), targets);
        losses[step] = (double)loss->data[0];
        tape_backward(&t, loss);
        queries_keep(&queries);
        adamw_step(&optimizer, &m.params);
        queries_move(&queries);
    }
    measure_weights(end, &t, &m, &data);
    adamw_free(&optimizer);
    word_model_free(&m);
    tape_free(&t);
}

/* The loss after every EVERY steps, a mean of the last EVERY; and the weights at the
 * end. */
typedef struct {
    size_t seeds, points;
    double loss[KINDS][MAX_SEEDS][POINTS];
    Weights weights[KINDS][MAX_SEEDS];
} Runs;

static Kind kind_of(size_t k) {
    return (Kind){heads[k % HEADS], k < HEADS};
}

static void run_all(Runs *runs, uint64_t first_seed) {
    size_t n = KINDS * runs->seeds, done = 0;
    Progress progress = progress_begin("heads", n);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < n; i++) {
        double losses[STEPS];
        size_t k = i / runs->seeds, s = i % runs->seeds;
        train(losses, &runs->weights[k][s], kind_of(k), runs->points * EVERY,
              first_seed + s);
        for (size_t p = 0; p < runs->points; p++)
            runs->loss[k][s][p] = mean_of_last(losses, (p + 1) * EVERY, EVERY);
#pragma omp critical
        progress_update(&progress, ++done, "%zu heads", kind_of(k).n_head);
    }
    progress_end(&progress);
}

static void write_losses(const Runs *runs, const char *directory) {
    Csv csv = csv_begin(directory, "heads", "heads,head_dim,divided,seed,step,loss");
    for (size_t k = 0; k < KINDS; k++) {
        Kind kind = kind_of(k);
        for (size_t s = 0; s < runs->seeds; s++) {
            for (size_t p = 0; p < runs->points; p++) {
                csv_row(&csv, "%zu,%zu,%s,%zu,%zu,%.6g", kind.n_head, DIM / kind.n_head,
                        kind.divided ? "yes" : "no", s + 1, (p + 1) * EVERY,
                        runs->loss[k][s][p]);
            }
        }
    }
    csv_commit(&csv);
}

static void write_weights(const Runs *runs, const char *directory) {
    Csv csv = csv_begin(directory, "heads-weights",
                        "heads,divided,seed,one_back,two_back,larger");
    for (size_t k = 0; k < KINDS; k++) {
        Kind kind = kind_of(k);
        for (size_t s = 0; s < runs->seeds; s++) {
            const Weights *w = &runs->weights[k][s];
            csv_row(&csv, "%zu,%s,%zu,%.6g,%.6g,%.6g", kind.n_head,
                    kind.divided ? "yes" : "no", s + 1, w->one_back, w->two_back,
                    w->larger);
        }
    }
    csv_commit(&csv);
}

/* The smallest loss of all seeds of kind k at one point. */
static double least(const Runs *runs, size_t k, size_t point) {
    double loss = INFINITY;
    for (size_t s = 0; s < runs->seeds; s++)
        loss = smaller(loss, runs->loss[k][s][point]);
    return loss;
}

static double most(const Runs *runs, size_t k, size_t point) {
    double loss = 0;
    for (size_t s = 0; s < runs->seeds; s++)
        loss = larger(loss, runs->loss[k][s][point]);
    return loss;
}

void experiment_heads(const Settings *settings) {
    static Runs runs;
    runs.seeds = settings->quick ? 2 : MAX_SEEDS;
    runs.points = settings->quick ? POINTS / 4 : POINTS;
    run_all(&runs, settings->seed);
    write_losses(&runs, settings->out);
    write_weights(&runs, settings->out);
    enum {
        AT_100 = 100 / EVERY - 1,
        ONE = 0,
        FOUR = 2,
        EIGHT = 3,
        NOT_DIVIDED = HEADS
    };
    size_t end = runs.points - 1;
    /* Two different words, but not which of them stood first. */
    double no_order = (1 - 1.0 / WORDS) * log_double(2);
    double one = least(&runs, ONE, AT_100),
           several = larger(most(&runs, FOUR, AT_100), most(&runs, EIGHT, AT_100));
    claim(one > no_order && several < no_order / 2,
          "after 100 steps: one head %.2f or more, four and eight heads %.2f or less; "
          "without the order it is %.2f",
          one, several, no_order);
    double divided = most(&runs, ONE, end),
           not_divided = least(&runs, NOT_DIVIDED, end);
    claim(divided < 0.5 && not_divided > 1.5,
          "one head of %d: %.2f or less at the end (below 0.5), not divided %.2f or "
          "more (above 1.5)",
          DIM, divided, not_divided);
    double small = most(&runs, NOT_DIVIDED + EIGHT, end);
    claim(small < 0.1, "heads of %d, not divided: %.3f or less (below 0.1)", DIM / 8,
          small);
}
