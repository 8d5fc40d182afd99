/* What a learned table of words looks like: are words that are used alike near each
 * other? The language has classes, and the model is never told of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "06-embeddings/experiments/class_model.h"
#include "06-embeddings/experiments/experiments.h"
#include "base/memory.h"
#include "files/csv.h"
#include "kernels/reduce.h"
#include "math/fit.h"
#include "program/claim.h"

enum { DIM = 32, STEPS = 1500, EVERY = 100, SEEDS = 5, POINTS = STEPS / EVERY + 1 };

/* The map has the most frequent words of the first classes, class by class. */
enum { SHOWN_CLASSES = 6, SHOWN_WORDS = 8, SHOWN = SHOWN_CLASSES * SHOWN_WORDS };

/* What the cosines of one table say. */
typedef struct {
    double within, across; /* means over pairs of words of one class, and of two */
    double nearest[CLASS_WORDS]; /* by rank: the share of words whose nearest neighbour
                                    is of their class */
} Likeness;

/* cosines [LANGUAGE_WORDS, LANGUAGE_WORDS] */
static void cosines_of(float *cosines, const Tensor *table) {
    size_t n = table->shape[0], dim = table->shape[1];
    const float *rows = table->data;
    double *length = checked_alloc(n, sizeof *length);
    for (size_t i = 0; i < n; i++)
        length[i] = sqrt((double)row_sum_squares(rows + i * dim, 0, dim));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double dot = (double)row_dot(rows + i * dim, rows + j * dim, dim);
            cosines[i * n + j] = (float)(dot / (length[i] * length[j]));
        }
    }
    free(length);
}

static size_t nearest_to(const float *cosines, size_t word) {
    size_t best = word ? 0 : 1;
    const float *row = cosines + word * LANGUAGE_WORDS;
    for (size_t j = 0; j < LANGUAGE_WORDS; j++) {
        if (j != word && row[j] > row[best]) best = j;
    }
    return best;
}

static Likeness likeness_of(const float *cosines) {
    Likeness k = {0};
    const double alike = LANGUAGE_WORDS * (CLASS_WORDS - 1.0),
                 unlike = LANGUAGE_WORDS * (double)(LANGUAGE_WORDS - CLASS_WORDS);
    for (size_t i = 0; i < LANGUAGE_WORDS; i++) {
        for (size_t j = 0; j < LANGUAGE_WORDS; j++) {
            double cosine = (double)cosines[i * LANGUAGE_WORDS + j];
            if (i == j) continue;
            if (i % CLASSES == j % CLASSES)
                k.within += cosine / alike;
            else
                k.across += cosine / unlike;
        }
        if (nearest_to(cosines, i) % CLASSES == i % CLASSES)
            k.nearest[i / CLASSES] += 1.0 / CLASSES;
    }
    return k;
}

static double mean_nearest(const Likeness *k) {
    double sum = 0;
    for (size_t r = 0; r < CLASS_WORDS; r++) sum += k->nearest[r] / CLASS_WORDS;
    return sum;
}

typedef struct {
    Likeness at[POINTS];
    float *before, *now; /* cosines, at the start and at the latest point */
} Seen;

static void watch(void *context, const ClassModel *m, size_t step) {
    Seen *seen = context;
    if (step % EVERY) return;
    float *cosines = step ? seen->now : seen->before;
    cosines_of(cosines, m->wte);
    seen->at[step / EVERY] = likeness_of(cosines);
}

static void look(Seen *seen, size_t steps, uint64_t seed) {
    ClassLanguage language = class_language_create(seed);
    ClassModel m = class_model_create(true, DIM, seed);
    class_model_train(&m, &language, 3e-3f, steps, seed, watch, seen);
    params_free(&m.params);
}

static void write_map(const Settings *settings, const Seen *seen) {
    Csv csv = csv_begin(settings->out, "06-word-map", "i,j,before,after");
    for (size_t i = 0; i < SHOWN; i++) {
        for (size_t j = 0; j < SHOWN; j++) {
            size_t a = i / SHOWN_WORDS + i % SHOWN_WORDS * CLASSES,
                   b = j / SHOWN_WORDS + j % SHOWN_WORDS * CLASSES;
            csv_row(&csv, "%zu,%zu,%.4g,%.4g", i, j,
                    (double)seen->before[a * LANGUAGE_WORDS + b],
                    (double)seen->now[a * LANGUAGE_WORDS + b]);
        }
    }
    csv_commit(&csv);
}

void experiment_word_vectors(const Settings *settings) {
    size_t steps = settings->quick ? EVERY : STEPS,
           seeds = settings->quick ? 1 : SEEDS, last = steps / EVERY;
    static Seen seen;
    double within = INFINITY, across = -INFINITY, nearest = INFINITY, first = 0;
    seen.before = checked_alloc(LANGUAGE_WORDS * LANGUAGE_WORDS, sizeof *seen.before);
    seen.now = checked_alloc(LANGUAGE_WORDS * LANGUAGE_WORDS, sizeof *seen.now);
    Csv csv = csv_begin(settings->out, "06-word-vectors",
                        "seed,step,within,across,nearest");
    Csv ranks = csv_begin(settings->out, "06-word-neighbours", "seed,rank,nearest");
    for (size_t k = 0; k < seeds; k++) {
        look(&seen, steps, settings->seed + k);
        if (k == 0) write_map(settings, &seen);
        for (size_t i = 0; i <= last; i++)
            csv_row(&csv, "%zu,%zu,%.5g,%.5g,%.5g", k + 1, i * EVERY,
                    seen.at[i].within, seen.at[i].across, mean_nearest(&seen.at[i]));
        for (size_t r = 0; r < CLASS_WORDS; r++)
            csv_row(&ranks, "%zu,%zu,%.5g", k + 1, r + 1, seen.at[last].nearest[r]);
        first = larger(first, mean_nearest(&seen.at[0]));
        within = smaller(within, seen.at[last].within);
        across = larger(across, seen.at[last].across);
        nearest = smaller(nearest, mean_nearest(&seen.at[last]));
        printf("  seed %zu: cosine %.3f within a class, %.3f across, nearest "
               "neighbour of the same class %.1f %%, at the start %.1f %%\n",
               k + 1, seen.at[last].within, seen.at[last].across,
               100 * mean_nearest(&seen.at[last]), 100 * mean_nearest(&seen.at[0]));
    }
    csv_commit(&csv);
    csv_commit(&ranks);
    free(seen.before);
    free(seen.now);
    claim(within > across + 0.3,
          "cosine within a class %.2f or more, across %.2f or less", within, across);
    claim(nearest > 5 * first,
          "the nearest neighbour is of the same class for %.2f of the words or more, at "
          "the start for %.2f or less",
          nearest, first);
}
