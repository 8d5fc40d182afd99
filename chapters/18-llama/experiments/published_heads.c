/* The positions that the heads of a published model look at: see experiments.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/published.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/random.h"
#include "program/claim.h"

enum { WINDOW = 256, FROM = 64, WINDOWS = 16, PERIOD = 64, REPEATED = 8, SHOWN = 24 };

/* Means over rows of attention weights, of each head. */
typedef struct {
    double first, previous, induction;
} Looks;

typedef struct {
    size_t n_layer, n_head;
    Looks *of; /* [n_layer, n_head] */
} Heads;

/* A row's weight on position 0, on the position before, and on the one behind the
 * earlier copy of its token. */
static void add_text(Heads *h, Tensor **weights, double share) {
    for (size_t i = 0; i < h->n_layer * h->n_head; i++) {
        const float *map =
            weights[i / h->n_head]->data + i % h->n_head * WINDOW * WINDOW;
        for (size_t t = FROM; t < WINDOW; t++) {
            h->of[i].first += share * (double)map[t * WINDOW];
            h->of[i].previous += share * (double)map[t * WINDOW + t - 1];
        }
    }
}

static void add_repeated(Heads *h, Tensor **weights, double share) {
    enum { LENGTH = 2 * PERIOD };
    for (size_t i = 0; i < h->n_layer * h->n_head; i++) {
        const float *map =
            weights[i / h->n_head]->data + i % h->n_head * LENGTH * LENGTH;
        for (size_t t = PERIOD; t < LENGTH; t++)
            h->of[i].induction += share * (double)map[t * LENGTH + t - PERIOD + 1];
    }
}

static void look(Heads *h, const Published *p, const int *tokens, size_t length,
                 void (*add)(Heads *, Tensor **, double), double share) {
    Tape t = tape_for_inference();
    Tensor **weights = checked_alloc(h->n_layer, sizeof(Tensor *));
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = length};
    gpt2_hidden_with_weights(&t, p->model, &input, weights);
    add(h, weights, share);
    free(weights);
    tape_free(&t);
}

/* Random tokens, and the same again: nothing but their order tells what comes next. */
static void draw_repeated(int *tokens, Random *random, size_t n_vocab, size_t period) {
    for (size_t i = 0; i < period; i++)
        tokens[i] = tokens[period + i] = (int)random_below(random, (uint32_t)n_vocab);
}

static Heads look_at_all(const Published *p, uint64_t seed, size_t windows) {
    const Gpt2Config *c = &p->model->config;
    Heads h = {c->n_layer, c->block.n_head, NULL};
    h.of = checked_alloc(h.n_layer * h.n_head, sizeof *h.of);
    size_t apart = (p->n - WINDOW) / windows;
    for (size_t w = 0; w < windows; w++)
        look(&h, p, p->tokens + w * apart, WINDOW, add_text,
             1.0 / (double)(windows * (WINDOW - FROM)));
    Random random = random_create(seed);
    for (size_t k = 0; k < REPEATED; k++) {
        int tokens[2 * PERIOD];
        draw_repeated(tokens, &random, c->n_vocab, PERIOD);
        look(&h, p, tokens, 2 * PERIOD, add_repeated, 1.0 / (REPEATED * PERIOD));
    }
    return h;
}

/* --- one map --- */

typedef struct {
    size_t head; /* its number among all */
    Csv *csv;
} OneMap;
static OneMap one_map;

static void write_map(Heads *h, Tensor **weights, double share) {
    enum { LENGTH = 2 * SHOWN };
    (void)share;
    const float *map = weights[one_map.head / h->n_head]->data +
                       one_map.head % h->n_head * LENGTH * LENGTH;
    for (size_t t = 0; t < LENGTH; t++)
        for (size_t s = 0; s < LENGTH; s++)
            csv_row(one_map.csv, "%zu,%zu,%.4g", t, s,
                    s <= t ? (double)map[t * LENGTH + s] : 0);
}

/* --- the results --- */

static double of_first(const Looks *l) {
    return l->first;
}
static double of_previous(const Looks *l) {
    return l->previous;
}
static double of_induction(const Looks *l) {
    return l->induction;
}

static size_t most(const Heads *h, double (*of)(const Looks *)) {
    size_t best = 0;
    for (size_t i = 1; i < h->n_layer * h->n_head; i++)
        if (of(&h->of[i]) > of(&h->of[best])) best = i;
    return best;
}

static double mean(const Heads *h, double (*of)(const Looks *), size_t from) {
    double sum = 0;
    size_t n = h->n_layer * h->n_head, first = from * h->n_head;
    for (size_t i = first; i < n; i++) sum += of(&h->of[i]);
    return sum / (double)(n - first);
}

static void write_heads(const Heads *h, const Settings *settings) {
    Csv csv = csv_begin(settings->out, "published-heads",
                        "layer,head,first,previous,induction");
    for (size_t i = 0; i < h->n_layer * h->n_head; i++)
        csv_row(&csv, "%zu,%zu,%.4g,%.4g,%.4g", i / h->n_head, i % h->n_head,
                h->of[i].first, h->of[i].previous, h->of[i].induction);
    csv_commit(&csv);
}

static void write_best_map(Heads *h, const Published *p, const Settings *settings) {
    Csv csv = csv_begin(settings->out, "published-map", "row,column,weight");
    one_map = (OneMap){most(h, of_induction), &csv};
    int tokens[2 * SHOWN];
    Random random = random_create(settings->seed + 1);
    draw_repeated(tokens, &random, p->model->config.n_vocab, SHOWN);
    look(h, p, tokens, 2 * SHOWN, write_map, 0);
    csv_commit(&csv);
}

static void say(const Heads *h, const char *what, double (*of)(const Looks *)) {
    size_t i = most(h, of);
    printf("%-28s %.3f in layer %zu, head %zu; the mean of all is %.3f\n", what,
           of(&h->of[i]), i / h->n_head, i % h->n_head, mean(h, of, 0));
}

void experiment_published_heads(const Settings *settings) {
    Published p;
    if (!published_begin(&p, 2 * WINDOW)) return;
    Heads h = look_at_all(&p, settings->seed, settings->quick ? 2 : WINDOWS);
    printf("%zu layers of %zu heads\n", h.n_layer, h.n_head);
    say(&h, "on the first position:", of_first);
    say(&h, "on the one before:", of_previous);
    say(&h, "behind the earlier copy:", of_induction);
    write_heads(&h, settings);
    write_best_map(&h, &p, settings);
    double sink = mean(&h, of_first, h.n_layer / 3);
    claim(sink > 0.25,
          "above the first third of the layers the first position has %.2f", sink);
    double previous = h.of[most(&h, of_previous)].previous,
           induction = h.of[most(&h, of_induction)].induction;
    claim(previous > 0.5, "a head gives %.2f to the position before", previous);
    claim(induction > 0.5, "and one %.2f to what followed the copy", induction);
    free(h.of);
    published_end(&p);
}
