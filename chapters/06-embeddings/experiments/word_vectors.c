/* The geometry of a learned table of words: are words that are used alike near each
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

/* Statistics of the cosines of one table: means over pairs of words of one class, of
 * two classes, and of two that have the same most frequent follower; and the share of
 * words whose nearest neighbour is of their class. */
typedef struct {
    double within, across, followed_alike, nearest;
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

static size_t main_follower(const ClassLanguage *l, size_t class) {
    size_t best = 0;
    for (size_t c = 1; c < CLASSES; c++) {
        if (l->follows[class][c] > l->follows[class][best]) best = c;
    }
    return best;
}

static Likeness likeness_of(const float *cosines, const ClassLanguage *l) {
    enum { WITHIN, ACROSS, ALIKE, PAIRS };
    double sum[PAIRS] = {0}, n[PAIRS] = {0}, near = 0;
    for (size_t i = 0; i < LANGUAGE_WORDS; i++) {
        for (size_t j = 0; j < LANGUAGE_WORDS; j++) {
            size_t a = i % CLASSES, b = j % CLASSES;
            if (i == j) continue;
            size_t kind = a == b ? WITHIN : ACROSS;
            sum[kind] += (double)cosines[i * LANGUAGE_WORDS + j];
            n[kind]++;
            if (a == b || main_follower(l, a) != main_follower(l, b)) continue;
            sum[ALIKE] += (double)cosines[i * LANGUAGE_WORDS + j];
            n[ALIKE]++;
        }
        near += nearest_to(cosines, i) % CLASSES == i % CLASSES;
    }
    return (Likeness){.within = sum[WITHIN] / n[WITHIN],
                      .across = sum[ACROSS] / n[ACROSS],
                      .followed_alike = sum[ALIKE] / n[ALIKE],
                      .nearest = near / LANGUAGE_WORDS};
}

typedef struct {
    const ClassLanguage *language;
    Likeness at[POINTS];
    float *before, *now; /* cosines, at the start and at the latest point */
} Seen;

static void watch(void *context, const ClassModel *m, size_t step) {
    Seen *seen = context;
    if (step % EVERY) return;
    float *cosines = step ? seen->now : seen->before;
    cosines_of(cosines, m->wte);
    seen->at[step / EVERY] = likeness_of(cosines, seen->language);
}

static void look(Seen *seen, size_t steps, uint64_t seed) {
    ClassLanguage language = class_language_create(seed);
    seen->language = &language;
    ClassModel m = class_model_create(false, DIM, seed);
    class_model_train(&m, &language, 3e-3f, steps, seed, watch, seen);
    params_free(&m.params);
}

static void write_map(const Settings *settings, const Seen *seen) {
    Csv csv = csv_begin(settings->out, "word-map", "i,j,before,after");
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
    size_t steps = settings->quick ? EVERY : STEPS, seeds = settings->quick ? 1 : SEEDS,
           last = steps / EVERY;
    static Seen seen;
    double within = INFINITY, across = -INFINITY, nearest = INFINITY, first = 0,
           alike = INFINITY;
    seen.before = checked_alloc(LANGUAGE_WORDS * LANGUAGE_WORDS, sizeof *seen.before);
    seen.now = checked_alloc(LANGUAGE_WORDS * LANGUAGE_WORDS, sizeof *seen.now);
    Csv csv = csv_begin(settings->out, "word-vectors",
                        "seed,step,within,across,followed_alike,nearest");
    for (size_t k = 0; k < seeds; k++) {
        look(&seen, steps, settings->seed + k);
        if (k == 0) write_map(settings, &seen);
        for (size_t i = 0; i <= last; i++)
            csv_row(&csv, "%zu,%zu,%.5g,%.5g,%.5g,%.5g", k + 1, i * EVERY,
                    seen.at[i].within, seen.at[i].across, seen.at[i].followed_alike,
                    seen.at[i].nearest);
        first = larger(first, seen.at[0].nearest);
        within = smaller(within, seen.at[last].within);
        across = larger(across, seen.at[last].across);
        alike = smaller(alike, seen.at[last].followed_alike - seen.at[last].across);
        nearest = smaller(nearest, seen.at[last].nearest);
        printf("  seed %zu: cosine %.3f within a class, %.3f across, nearest "
               "neighbour of the same class %.1f %%, at the start %.1f %%\n",
               k + 1, seen.at[last].within, seen.at[last].across,
               100 * seen.at[last].nearest, 100 * seen.at[0].nearest);
    }
    csv_commit(&csv);
    free(seen.before);
    free(seen.now);
    claim(within > across + 0.3,
          "cosine within a class %.2f or more, across %.2f or less", within, across);
    claim(alike > 0,
          "two classes with the same main follower: nearer than others, by "
          "%.2f or more in every seed",
          alike);
    claim(
        nearest > 5 * first,
        "the nearest neighbour is of the same class for %.2f of the words or more, at "
        "the start for %.2f or less",
        nearest, first);
}
