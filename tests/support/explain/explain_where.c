/* Where the wrong numbers are: see wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/wrong.h"

/* Of 5, two are every second one by chance. */
static bool is_every_second(const bool *hit, size_t n) {
    for (size_t i = 2; i < n; i++) {
        if (hit[i] != hit[i - 2]) return false;
    }
    return n > 5 && hit[0] != hit[1];
}

/* A number beside the sizes that the test knows; NULL: none is this. */
static const char *name_of_number(double value) {
    const Facts *f = known_facts();
    for (size_t k = 0; k < f->n_numbers; k++) {
        if (f->numbers[k].value == value) return f->numbers[k].name;
    }
    return NULL;
}

/* The indices along one axis that occur in a set: "row 3", "columns 0 to 4"; "" for all
 * of them, and for those that have no short name. */
static void indices_in_words(const Axis *axis, size_t from, const bool *hit,
                             char *words, size_t bytes) {
    size_t n = axis->size, first = n, last = 0, count = 0, missing = 0;
    for (size_t i = 0; i < n; i++) {
        if (!hit[i]) {
            missing = i;
            continue;
        }
        if (first == n) first = i;
        last = i;
        count++;
    }
    *words = 0;
    if (count == n || count == 0) return;
    if (count == 1) {
        snprintf(words, bytes, "%s %zu%s", axis->index, from + first,
                 first == n - 1 ? ", the last" : "");
    } else if (count == n - 1 && missing > 0 && n > 64) {
        return; /* of so many, one in the middle is right by chance */
    } else if (count == n - 1 && missing < n - 1) {
        snprintf(words, bytes, "every %s but %zu", axis->index, from + missing);
    } else if (last - first + 1 == count && first == 0) {
        snprintf(words, bytes, "%s %zu to %zu of %zu", axis->index, from, from + last,
                 n);
    } else if (last - first + 1 == count && last == n - 1) {
        size_t block = 64;
        while (block > 2 && n / block * block != first) block /= 2;
        const char *name = name_of_number((double)first);
        for (size_t k = 0; k < known_facts()->n_axes; k++) {
            /* where another axis ends */
            if (known_facts()->axes[k].size == first) block = 0;
        }
        if (name)
            snprintf(words, bytes, "%s %zu and on, which is %s", axis->index,
                     from + first, name);
        else if (block > 2)
            snprintf(words, bytes, "%s %zu and on, behind the last full %zu",
                     axis->index, from + first, block);
        else
            snprintf(words, bytes, "%s %zu and on", axis->index, from + first);
    } else if (is_every_second(hit, n)) {
        snprintf(words, bytes, "every second %s from %zu on", axis->index,
                 from + first);
    } else if (last - first + 1 == count) {
        snprintf(words, bytes, "%s %zu to %zu", axis->index, from + first, from + last);
    }
}

/* The smallest box of named indices around a set; false if it is all, or if more than a
 * tenth of it is not in the set: then the box would be a coincidence. */
static bool box(const Wrong *w, const bool *set, char words[WORDS]) {
    bool *hit[MAX_AXES];
    size_t used = 0, inside = 0, members = 0;
    for (size_t k = 0; k < w->n_axes; k++)
        hit[k] = checked_alloc(w->axes[k].size, sizeof(bool));
    for (size_t i = 0; i < w->n; i++) {
        for (size_t k = 0; k < w->n_axes && set[i]; k++)
            hit[k][index_along(w, i, k)] = true;
    }
    *words = 0;
    for (size_t k = 0; k < w->n_axes; k++) {
        char one[WORDS];
        indices_in_words(&w->axes[k], first_along(w, k), hit[k], one, sizeof one);
        if (!*one)
            memset(hit[k], true, w->axes[k].size);
        else if (used < WORDS)
            used += (size_t)snprintf(words + used, WORDS - used, "%s%s",
                                     used ? ", " : "", one);
    }
    for (size_t i = 0; i < w->n; i++) {
        bool in = true;
        for (size_t k = 0; k < w->n_axes && in; k++) in = hit[k][index_along(w, i, k)];
        inside += in;
        members += in && (set[i] || (w->expected[i] == 0 && w->got[i] == 0));
    }
    for (size_t k = 0; k < w->n_axes; k++) free(hit[k]);
    /* One or two right numbers outside may be right by chance, unless few are wrong. */
    bool meant = w->n - inside > 2 || inside <= w->n / 2;
    if (!meant || 10 * members < 9 * inside) *words = 0;
    return *words != 0;
}

typedef enum { SAME, NEXT, ABOVE, BELOW, RELATIONS } Relation;

static bool related(size_t i, size_t j, Relation relation) {
    if (relation == SAME) return i == j;
    if (relation == NEXT) return j == i + 1;
    return relation == ABOVE ? j > i : j < i;
}

/* The diagonal, or what lies on one side of it, of two axes of one size. */
static bool triangle(const Wrong *w, const bool *set, char words[WORDS]) {
    static const char *const text[RELATIONS] = {"%s = %s", "%s = %s + 1", "%s > %s",
                                                "%s < %s"};
    for (size_t a = 0; a < w->n_axes; a++) {
        for (size_t b = a + 1; b < w->n_axes; b++) {
            if (w->axes[a].size != w->axes[b].size || w->axes[a].size < 3) continue;
            for (Relation r = SAME; r < RELATIONS; r++) {
                size_t inside = 0, members = 0, outside = 0;
                for (size_t i = 0; i < w->n; i++) {
                    bool in = related(index_along(w, i, a), index_along(w, i, b), r);
                    inside += in;
                    members += in && set[i];
                    outside += !in && set[i];
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

/* A tolerance may be coarse for small numbers: rounding never takes more of them than
 * this. */
static const double LARGEST_ROUNDING = 1e-3;

bool nearly_right(const Wrong *w, char words[WORDS]) {
    double scale = 0, worst = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->is_wrong[i] && !isfinite(w->expected[i])) return false;
        if (isfinite(w->expected[i])) scale = fmax(scale, fabs(w->expected[i]));
        if (w->is_wrong[i]) worst = fmax(worst, fabs(w->got[i] - w->expected[i]));
    }
    if (!(worst <= fmin(30 * w->tolerance, LARGEST_ROUNDING) * scale)) return false;
    snprintf(words, WORDS,
             "all is nearly right, to %.1g of the largest number: rounding (a sum in "
             "float?), something as small "
             "as eps, or one term of very many",
             worst / scale);
    return true;
}

/* The set is where a known array is: not finite, 0, above or below a limit, or far from
 * 0. */
static bool known_there(const bool *set, const double *a, size_t n, const char *name,
                        char words[WORDS]) {
    double high = -INFINITY, low = INFINITY, near = INFINITY;
    double other_high = -INFINITY, other_low = INFINITY, other_far = 0;
    bool infinite = true, zero = true;
    for (size_t i = 0; i < n; i++) {
        infinite &= set[i] == !isfinite(a[i]);
        zero &= set[i] == (a[i] == 0);
        if (set[i]) {
            high = fmax(high, a[i]);
            low = fmin(low, a[i]);
            near = fmin(near, fabs(a[i]));
        } else {
            other_high = fmax(other_high, a[i]);
            other_low = fmin(other_low, a[i]);
            other_far = fmax(other_far, fabs(a[i]));
        }
    }
    if (infinite)
        snprintf(words, WORDS, "where %s is not finite", name);
    else if (zero)
        snprintf(words, WORDS, "where %s is 0", name);
    else if (low > other_high)
        snprintf(words, WORDS, "where %s is %.4g or more", name, low);
    else if (high < other_low)
        snprintf(words, WORDS, "where %s is %.4g or less", name, high);
    else if (near > other_far)
        snprintf(words, WORDS, "where |%s| is %.4g or more", name, near);
    else
        return false;
    return true;
}

bool where_by_input(const Wrong *w, const bool *set, char words[WORDS]) {
    size_t members = 0;
    for (size_t i = 0; i < w->n; i++) members += set[i];
    /* so few are above a limit by chance */
    if (members < 3 || w->n - members < 3) return false;
    for (size_t k = 0; k < known_facts()->n_arrays; k++) {
        double *a = spread(w, &known_facts()->arrays[k]);
        bool found =
            a && known_there(set, a, w->n, known_facts()->arrays[k].name, words);
        free(a);
        if (found) return true;
    }
    return false;
}

/* Every wrong number is wrong by far: what is right and wrong is no matter of the
 * tolerance. */
static bool clearly_wrong(const Wrong *w) {
    double scale = largest_wrong(w, w->expected, 0);
    for (size_t i = 0; i < w->n; i++) {
        if (isfinite(w->expected[i])) scale = fmax(scale, fabs(w->expected[i]));
    }
    for (size_t k = 0; k < w->n_wrong; k++) {
        size_t i = w->wrong[k];
        if (!(fabs(w->got[i] - w->expected[i]) > 10 * w->tolerance * scale))
            return false;
    }
    return true;
}

/* Wrong here and there, but among the first nowhere: so many are not right by
 * chance. */
static bool right_at_first(const Wrong *w, char words[WORDS]) {
    size_t first = w->wrong[0];
    double wrong_there = fmin(0.9, (double)w->n_wrong / (double)(w->n - first));
    if (w->n_axes > 1 || pow(1 - wrong_there, (double)first) > 1e-6) return false;
    snprintf(words, WORDS, "right up to %s %zu", w->axes[0].index,
             first_along(w, 0) + first - 1);
    return true;
}

bool where_wrong(const Wrong *w, char words[WORDS]) {
    char place[WORDS];
    *words = 0;
    if (w->n_wrong == w->n) return false;
    if (!where(w, w->is_wrong, place) &&
        !(w->n_wrong > 3 && clearly_wrong(w) && where_by_input(w, w->is_wrong, place)))
        return right_at_first(w, words);
    char *but = strstr(place, " but ");
    if (but && !strchr(place, ',')) { /* "every row but 3" */
        *but = 0;
        snprintf(words, WORDS, "right only at %.100s %.100s", place + strlen("every "),
                 but + strlen(" but "));
    } else {
        snprintf(words, WORDS, "wrong only %s%.*s",
                 strncmp(place, "where", 5) == 0 ? "" : "at ", WORDS - 20, place);
    }
    return true;
}
