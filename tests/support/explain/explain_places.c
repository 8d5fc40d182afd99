/* The right numbers in the wrong places: see wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/wrong.h"

static size_t stride_along(const Wrong *w, size_t k) {
    size_t stride = 1;
    for (size_t j = k + 1; j < w->n_axes; j++) stride *= w->axes[j].size;
    return stride;
}

/* Whether the wrong numbers would be more than two different ones: few numbers that
 * occur again and again are found in many places. */
static bool tells_places_apart(const Wrong *w) {
    double seen[2], allowed = 4 * w->tolerance * largest_wrong(w, w->expected, 0);
    size_t n_seen = 0;
    for (size_t k = 0; k < w->n_wrong; k++) {
        double x = w->predicted[w->wrong[k]];
        bool known = isnan(x);
        for (size_t s = 0; s < n_seen; s++) known |= fabs(x - seen[s]) <= allowed;
        if (!known && n_seen == 2) return true;
        if (!known) seen[n_seen++] = x;
    }
    return false;
}

/* The numbers belong one or two places further, or back, along axis k. The places at
 * the end may hold anything. */
static bool shifted(Wrong *w, size_t k) {
    size_t size = w->axes[k].size, stride = stride_along(w, k);
    for (size_t by = 1; by <= 2 && by < size; by++) {
        for (int back = 0; back <= 1; back++) {
            for (size_t i = 0; i < w->n; i++) {
                size_t at = index_along(w, i, k);
                bool there = back ? at >= by : at + by < size;
                w->predicted[i] =
                    !there ? NAN
                           : w->expected[back ? i - by * stride : i + by * stride];
            }
            if (tells_places_apart(w) &&
                explains(w, w->predicted, 2, "is what belongs %zu %s %s", by,
                         w->axes[k].index, back ? "before" : "further on")) {
                return true;
            }
        }
    }
    return false;
}

/* All indices along axis k have the numbers of one: the first or the last. */
static bool one_for_all(Wrong *w, size_t k) {
    size_t size = w->axes[k].size, stride = stride_along(w, k);
    for (int last = 0; last <= 1 && w->n_axes > 1; last++) {
        for (size_t i = 0; i < w->n; i++) {
            w->predicted[i] = w->expected[i - index_along(w, i, k) * stride +
                                          (last ? size - 1 : 0) * stride];
        }
        if (explains(w, w->predicted, 1, "is what belongs to %s %zu%s",
                     w->axes[k].index, first_along(w, k) + (last ? size - 1 : 0),
                     last ? ", the last" : "")) {
            return true;
        }
    }
    return false;
}

/* Numbers that should be spread along axis k are added up at its first index. */
static bool gathered(Wrong *w, size_t k) {
    size_t stride = stride_along(w, k), size = w->axes[k].size;
    for (size_t i = 0; i < w->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < size && index_along(w, i, k) == 0; j++)
            sum += w->expected[i + j * stride];
        w->predicted[i] = sum;
    }
    return size > 1 && w->n_axes > 1 &&
           explains(w, w->predicted, 1,
                    "is 0 but at %s %zu, where the sum over all stands",
                    w->axes[k].index, first_along(w, k));
}

static bool reversed(Wrong *w, size_t k) {
    size_t size = w->axes[k].size, stride = stride_along(w, k);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = index_along(w, i, k);
        w->predicted[i] = w->expected[i - at * stride + (size - 1 - at) * stride];
    }
    return size > 2 && tells_places_apart(w) &&
           explains(w, w->predicted, 1, "stands in reversed order along the %s axis",
                    w->axes[k].index);
}

/* Stored with axes a and b exchanged: element (.. i .. j ..) where (.. j .. i ..) of
 * the other shape lies. */
static bool exchanged(Wrong *w, size_t a, size_t b) {
    size_t stored[MAX_AXES], strides[MAX_AXES], step = 1;
    for (size_t k = 0; k < w->n_axes; k++) stored[k] = k == a ? b : k == b ? a : k;
    for (size_t k = w->n_axes; k-- > 0;) {
        strides[stored[k]] = step;
        step *= w->axes[stored[k]].size;
    }
    for (size_t i = 0; i < w->n; i++) {
        size_t to = 0;
        for (size_t k = 0; k < w->n_axes; k++) to += index_along(w, i, k) * strides[k];
        w->predicted[to] = w->expected[i];
    }
    return tells_places_apart(w) &&
           explains(w, w->predicted, 1,
                    "stands where it would with %s and %s exchanged: it is transposed",
                    w->axes[a].index, w->axes[b].index);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Which right number stands in the place of element i; n: none. */
static size_t home_of(const Wrong *w, size_t i, double allowed) {
    for (size_t j = 0; j < w->n; j++) {
        if (fabs(w->got[i] - w->expected[j]) <= allowed) return j;
    }
    return w->n;
}

/* All right numbers are there, in another order. */
static bool permuted(Wrong *w) {
    double *got = checked_alloc(w->n, sizeof *got),
           *right = checked_alloc(w->n, sizeof *right);
    memcpy(got, w->got, w->n * sizeof *got);
    memcpy(right, w->expected, w->n * sizeof *right);
    qsort(got, w->n, sizeof *got, by_size);
    qsort(right, w->n, sizeof *right, by_size);
    double allowed = 2 * w->tolerance * largest_wrong(w, w->expected, 0);
    bool same = w->n_wrong > 2;
    for (size_t i = 0; i < w->n && same; i++) same = fabs(got[i] - right[i]) <= allowed;
    free(got);
    free(right);
    if (!same) return false;
    memcpy(w->predicted, w->got, w->n * sizeof *w->predicted);
    char here[WORDS], home[WORDS];
    size_t from = home_of(w, w->wrong[0], allowed);
    if (from == w->n) return false;
    element_in_words(w, w->wrong[0], here);
    element_in_words(w, from, home);
    return tells_places_apart(w) &&
           explains(
               w, w->predicted, 1,
               "is a right one in the wrong place: at %s stands what belongs to %s",
               here, home);
}

/* Each number has those before it in it, and perhaps what was left from a call
 * before. */
static bool running_sum(Wrong *w) {
    size_t first = w->wrong[0];
    double sum = 0, more = 0;
    for (size_t i = 0; i < w->n; i++) {
        sum += w->expected[i];
        w->predicted[i] = sum;
        if (i == first) more = w->got[i] - sum;
    }
    if (explains(w, w->predicted, 1,
                 "is the sum of all up to it: is a sum not set back to 0?"))
        return true;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] += more;
    return explains(
        w, w->predicted, 2,
        "is the sum of all up to it, and of those of the call before: is a sum not set "
        "back to 0?");
}

bool describe_places(Wrong *w) {
    for (size_t a = 0; a < w->n_axes; a++) {
        for (size_t b = a + 1; b < w->n_axes; b++) {
            if (exchanged(w, a, b)) return true;
        }
    }
    for (size_t k = 0; k < w->n_axes; k++) {
        if (one_for_all(w, k) || shifted(w, k) || reversed(w, k) || gathered(w, k))
            return true;
    }
    return running_sum(w) || permuted(w);
}
