/* Where the wrong numbers are: see wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "wrong.h"

static bool is_every_second(const bool *hit, size_t n) {
    for (size_t i = 2; i < n; i++) {
        if (hit[i] != hit[i - 2]) return false;
    }
    return n > 3 && hit[0] != hit[1];
}

/* The indices along one axis that occur in a set: "row 3", "columns 0 to 4"; "" for all of them, and for
 * those that have no short name. */
static void indices_in_words(const Axis *axis, size_t from, const bool *hit, char *words, size_t bytes) {
    size_t n = axis->size, first = n, last = 0, count = 0, missing = 0;
    for (size_t i = 0; i < n; i++) {
        if (!hit[i]) {
            missing = i;
            continue;
        }
        if (first == n) first = i;
        last = i, count++;
    }
    *words = 0;
    if (count == n || count == 0) return;
    if (count == 1) {
        snprintf(words, bytes, "%s %zu%s", axis->index, from + first, first == n - 1 ? ", the last" : "");
    } else if (count == n - 1 && missing < n - 1) {
        snprintf(words, bytes, "all but %s %zu", axis->index, from + missing);
    } else if (last - first + 1 == count && first == 0) {
        snprintf(words, bytes, "%s %zu to %zu of %zu", axis->index, from, from + last, n);
    } else if (last - first + 1 == count && last == n - 1) {
        size_t block = 64;
        while (block > 2 && n / block * block != first) block /= 2;
        if (block > 2)
            snprintf(words, bytes, "%s %zu and on, behind the last full %zu", axis->index, from + first,
                     block);
        else
            snprintf(words, bytes, "%s %zu and on", axis->index, from + first);
    } else if (is_every_second(hit, n)) {
        snprintf(words, bytes, "every second %s from %zu on", axis->index, from + first);
    } else if (last - first + 1 == count) {
        snprintf(words, bytes, "%s %zu to %zu", axis->index, from + first, from + last);
    }
}

/* The smallest box of named indices around a set; false if it is all, or if more than a tenth of it is not
 * in the set: then the box would be a coincidence. */
static bool box(const Wrong *w, const bool *set, char words[WORDS]) {
    bool *hit[MAX_AXES];
    size_t used = 0, inside = 0, members = 0;
    for (size_t k = 0; k < w->n_axes; k++) hit[k] = checked_alloc(w->axes[k].size, sizeof(bool));
    for (size_t i = 0; i < w->n; i++) {
        for (size_t k = 0; k < w->n_axes && set[i]; k++) hit[k][index_along(w, i, k)] = true;
    }
    *words = 0;
    for (size_t k = 0; k < w->n_axes; k++) {
        char one[WORDS];
        indices_in_words(&w->axes[k], first_along(w, k), hit[k], one, sizeof one);
        if (!*one)
            memset(hit[k], true, w->axes[k].size);
        else if (used < WORDS)
            used += (size_t)snprintf(words + used, WORDS - used, "%s%s", used ? ", " : "", one);
    }
    for (size_t i = 0; i < w->n; i++) {
        bool in = true;
        for (size_t k = 0; k < w->n_axes && in; k++) in = hit[k][index_along(w, i, k)];
        inside += in, members += in && (set[i] || (w->expected[i] == 0 && w->got[i] == 0));
    }
    for (size_t k = 0; k < w->n_axes; k++) free(hit[k]);
    /* One or two right numbers outside may be right by chance, unless few are wrong. */
    bool meant = w->n - inside > 2 || inside <= w->n / 2;
    if (!meant || 10 * members < 9 * inside) *words = 0;
    return *words != 0;
}

typedef enum { SAME, NEXT, ABOVE, BELOW, RELATIONS } Relation;

static bool related(size_t i, size_t j, Relation relation) {
    return relation == SAME ? i == j : relation == NEXT ? j == i + 1 : relation == ABOVE ? j > i : j < i;
}

/* The diagonal, or what lies on one side of it, of two axes of one size. */
static bool triangle(const Wrong *w, const bool *set, char words[WORDS]) {
    static const char *const text[RELATIONS] = {"%s = %s", "%s = %s + 1", "%s > %s", "%s < %s"};
    for (size_t a = 0; a < w->n_axes; a++) {
        for (size_t b = a + 1; b < w->n_axes; b++) {
            if (w->axes[a].size != w->axes[b].size || w->axes[a].size < 3) continue;
            for (Relation r = SAME; r < RELATIONS; r++) {
                size_t inside = 0, members = 0, outside = 0;
                for (size_t i = 0; i < w->n; i++) {
                    bool in = related(index_along(w, i, a), index_along(w, i, b), r);
                    inside += in, members += in && set[i], outside += !in && set[i];
                }
                if (outside > 0 || 10 * members < 9 * inside) continue;
                snprintf(words, WORDS, text[r], w->axes[b].index, w->axes[a].index);
                return true;
            }
        }
    }
    return false;
}

bool where(const Wrong *w, const bool *set, char words[WORDS]) {
    return box(w, set, words) || triangle(w, set, words);
}

bool nearly_right(const Wrong *w, char words[WORDS]) {
    double scale = 0, worst = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (isfinite(w->expected[i])) scale = fmax(scale, fabs(w->expected[i]));
        if (w->is_wrong[i]) worst = fmax(worst, fabs(w->got[i] - w->expected[i]));
    }
    if (!(worst <= 30 * w->tolerance * scale)) return false;
    snprintf(
        words, WORDS,
        "all is nearly right, to %.1g of the largest number: rounding (a sum in float?), something as small "
        "as eps, or one term of very many",
        worst / scale);
    return true;
}

bool where_wrong(const Wrong *w, char words[WORDS]) {
    static const char but[] = "all but ";
    char place[WORDS];
    *words = 0;
    if (w->n_wrong == w->n || !where(w, w->is_wrong, place)) return false;
    bool one_right = strncmp(place, but, strlen(but)) == 0 && !strchr(place, ',');
    snprintf(words, WORDS, one_right ? "right only at %.*s" : "wrong only at %.*s", WORDS - 20,
             one_right ? place + strlen(but) : place);
    return true;
}
