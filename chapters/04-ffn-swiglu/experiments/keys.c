/* The FFN as a memory: which contexts a key fires on, and which bytes its value raises,
 * read through the output layer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/language.h"
#include "04-ffn-swiglu/top_activations.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "kernels/reduce.h"

enum {
    D_FF = 192,
    STEPS = 1000,
    QUICK_STEPS = 100,
    SEEDS = 6,
    TOP = 10,
    FIRST = 5,
    SHOWN = 6
};
static const float RATE = 3e-3f;

/* One hidden unit: where its key fires most, and how its value ranks the symbols. */
typedef struct {
    TopActivations fires; /* of the held-out places */
    size_t rank[256]; /* [n_symbols] of each symbol in the value, 0 for the largest */
} Unit;

/* Row `unit` of the second matrix, through the gain of the last norm and the head: a
 * number a symbol. */
//> value_ranks
static void rank_symbols(Unit *u, const Model *m, size_t layer, size_t unit,
                         size_t n_symbols) {
    const float *value = m->ffns[layer].down.weight->data + unit * D_MODEL,
                *gain = m->norms[DEPTH].gain->data;
    const float *head = m->head.weight->data; /* [D_MODEL, n_symbols] */
    double score[256] = {0};
    for (size_t s = 0; s < n_symbols; s++) {
        for (size_t i = 0; i < D_MODEL; i++)
            score[s] +=
                (double)value[i] * (double)gain[i] * (double)head[i * n_symbols + s];
    }
    for (size_t s = 0; s < n_symbols; s++) {
        u->rank[s] = 0;
        for (size_t other = 0; other < n_symbols; other++)
            u->rank[s] += score[other] > score[s];
    }
}
//< value_ranks

/* The units of one layer of a trained model. */
static void read_units(Unit units[D_FF], const Model *m, const Language *l,
                       size_t layer) {
    Tape t = tape_for_inference();
    int *next = checked_alloc(HELD_OUT, sizeof *next);
    Tensor *branch_inputs[DEPTH];
    model_logits(&t, m, held_out_places(&t, l, next), branch_inputs);
    Tensor *hidden = linear(&t, &m->ffns[layer].up, branch_inputs[layer]);
    for (size_t unit = 0; unit < D_FF; unit++) {
        units[unit] = (Unit){0};
        for (size_t p = 0; p < HELD_OUT; p++)
            top_activations_add(&units[unit].fires, hidden->data[p * D_FF + unit], p);
        rank_symbols(&units[unit], m, layer, unit, l->n_symbols);
    }
    tape_free(&t);
    free(next);
}

/* The share of units that have, among the first `k` symbols of their value, the one
 * which followed where they fire most; and the same for values beside the places of all
 * other units. */
typedef struct {
    double own[TOP], others[TOP];
} Agreement;

static Agreement agreement_of(const Unit units[D_FF], const Language *l) {
    Agreement a = {{0}, {0}};
    for (size_t k = 0; k < TOP; k++) {
        for (size_t i = 0; i < D_FF; i++) {
            for (size_t j = 0; j < D_FF; j++) {
                bool hit =
                    units[i].rank[*held_out_place(l, units[j].fires.place[0])] <= k;
                if (i == j)
                    a.own[k] += hit / (double)D_FF;
                else
                    a.others[k] += hit / (double)D_FF / (D_FF - 1);
            }
        }
    }
    return a;
}

static void print_context(const Language *l, size_t place) {
    char text[CONTEXT + 1] = {0};
    const unsigned char *at = held_out_place(l, place);
    for (size_t c = 0; c < CONTEXT; c++) {
        unsigned char byte = l->bytes[at[(ptrdiff_t)c - CONTEXT]];
        text[c] = byte == '\n' ? '/' : (char)byte;
    }
    printf(" [%s]%c", text, l->bytes[*at] == '\n' ? '/' : l->bytes[*at]);
}

/* The last layer's units in which key and value agree and which fire strongest, for a
 * reader to check by eye. */
static void print_units(const Unit units[D_FF], const Language *l) {
    bool shown[D_FF] = {false};
    printf("  where a key of the last layer fires most, the next byte behind it; its "
           "value's first bytes\n");
    for (size_t n = 0; n < SHOWN; n++) {
        size_t best = D_FF;
        for (size_t i = 0; i < D_FF; i++) {
            if (shown[i] ||
                units[i].rank[*held_out_place(l, units[i].fires.place[0])] > 0)
                continue;
            if (best == D_FF ||
                units[i].fires.activation[0] > units[best].fires.activation[0])
                best = i;
        }
        if (best == D_FF) break;
        shown[best] = true;
        printf("  unit %3zu ", best);
        for (size_t i = 0; i < TOP_ACTIVATIONS; i++)
            print_context(l, units[best].fires.place[i]);
        printf("  value:");
        for (size_t rank = 0; rank < 3; rank++) {
            for (size_t s = 0; s < l->n_symbols; s++) {
                if (units[best].rank[s] != rank) continue;
                if (l->bytes[s] == '\n')
                    printf(" '/'");
                else
                    printf(" '%c'", l->bytes[s]);
            }
        }
        putchar('\n');
    }
}

void experiment_keys(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    Language l = language_create();
    static Unit units[SEEDS][DEPTH][D_FF];
#pragma omp parallel for schedule(dynamic)
    for (size_t s = 0; s < seeds; s++) {
        ModelConfig config = {.kind = FFN_RELU,
                              .d_ff = D_FF,
                              .rate = RATE,
                              .steps = settings->quick ? QUICK_STEPS : STEPS,
                              .seed = settings->seed + s};
        Model m;
        model_train(&m, &l, &config, NULL, NULL);
        for (size_t layer = 0; layer < DEPTH; layer++)
            read_units(units[s][layer], &m, &l, layer);
        model_free(&m);
    }
    Csv csv = csv_begin(settings->out, "keys", "seed,layer,k,own,others");
    double least[DEPTH] = {INFINITY, INFINITY}, gain[SEEDS];
    for (size_t s = 0; s < seeds; s++) {
        Agreement a[DEPTH];
        for (size_t layer = 0; layer < DEPTH; layer++) {
            a[layer] = agreement_of(units[s][layer], &l);
            for (size_t k = 0; k < TOP; k++) {
                csv_row(&csv, "%zu,%zu,%zu,%.6g,%.6g", (size_t)settings->seed + s,
                        layer + 1, k + 1, a[layer].own[k], a[layer].others[k]);
            }
            least[layer] = smaller(least[layer], a[layer].own[0] / a[layer].others[0]);
        }
        gain[s] = a[DEPTH - 1].own[FIRST - 1] - a[0].own[FIRST - 1];
    }
    csv_commit(&csv);
    print_units(units[0][DEPTH - 1], &l);
    language_free(&l);
    for (size_t layer = 0; layer < DEPTH; layer++) {
        claim(least[layer] > 2,
              "layer %zu: in every seed a value's first byte follows its own key's "
              "place at least %.1f times as often as another's (above 2)",
              layer + 1, least[layer]);
    }
    Moments more = moments_of(gain, seeds);
    double error = more.deviation / sqrt((double)seeds);
    claim(more.mean > 2 * error,
          "among a value's first %d bytes for %.2f more of the units in the last "
          "layer, %.1f standard errors "
          "(above 2)",
          FIRST, more.mean, more.mean / error);
}
