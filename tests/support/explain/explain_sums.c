/* Products of known arrays, summed over an axis: which one was computed, and which part
 * of the right one. See wrong.h.
 *
 * The right numbers are searched first: dx[row][in] may be the sum over out of
 * dout[row][out] * weight[in][out]. Then the wrong ones: the sum over out of
 * dout[row][out] * weight[out][in]? Or only the first 4 of the 5 terms? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain/formula.h"

/* "x[row][column]"; what counts the steps is "step". */
static size_t say_factor(const Reading *r, char *words, size_t bytes) {
    size_t used = (size_t)snprintf(words, bytes, "%s", r->known->name);
    const Axis *first = &known_facts()->axes[r->labels[0]];
    if (r->known->n_axes == 1 && strcmp(r->known->name, first->index) == 0) return used;
    for (size_t k = 0; k < r->known->n_axes && used < bytes; k++) {
        used += (size_t)snprintf(words + used, bytes - used, "[%s]",
                                 known_facts()->axes[r->labels[k]].index);
    }
    return used;
}

/* ", which is rstd of row 0": a number that is the first or the last of a known array;
 * "" of none. */
static const char *element_of_known(double value, double tolerance) {
    static char words[WORDS];
    for (size_t a = 0; a < known_facts()->n_arrays; a++) {
        const Known *known = &known_facts()->arrays[a];
        if (!known->values || known->n_axes != 1 || known->n < 2) continue;
        for (size_t i = 0; i < known->n; i += known->n - 1) {
            if (fabs(value - known->values[i]) > tolerance * fabs(value)) continue;
            snprintf(words, sizeof words, ", which is %s of %s %zu", known->name,
                     known_facts()->axes[known->axes[0]].index, i);
            return words;
        }
    }
    return "";
}

static void say(const Formula *f, double tolerance, char words[WORDS]) {
    size_t used = 0;
    if (f->over != UNKNOWN_AXIS) {
        used = (size_t)snprintf(words, WORDS, "the sum over %s of ",
                                known_facts()->axes[f->over].index);
    }
    used += say_factor(f->a, words + used, WORDS - used);
    const Reading *more[] = {f->b, f->c};
    for (size_t k = 0; k < 2 && more[k] && used < WORDS - 4; k++) {
        used += (size_t)snprintf(words + used, WORDS - used, " * ");
        used += say_factor(more[k], words + used, WORDS - used);
    }
    if (f->factor == 1 || used >= WORDS) return;
    double size = fabs(f->factor) < 1 ? 1 / fabs(f->factor) : fabs(f->factor);
    const char *name = number_in_words(size, 10 * tolerance);
    if (name)
        snprintf(words + used, WORDS - used, ", %s %s%s",
                 fabs(f->factor) < 1 ? "divided by" : "times", f->factor < 0 ? "-" : "",
                 name);
    else
        snprintf(words + used, WORDS - used, ", times %.5g%.100s", f->factor,
                 element_of_known(f->factor, 10 * tolerance));
}

/* The terms first .. end - 1 alone; of a gradient also with what was there before
 * lost. */
static bool part(Wrong *w, const Formula *f, size_t first, size_t end,
                 const char *format, size_t number) {
    const char *axis = known_facts()->axes[f->over].index;
    /* to so many digits few parts give one number */
    double parameters = w->n == 1 && f->n_terms < 100 ? 0 : 1;
    for (size_t i = 0; i < w->n; i++)
        w->predicted[i] = formula_terms(w, f, i, first, end);
    if (explains(w, w->predicted, parameters, format, axis, number, f->n_terms))
        return true;
    if (w->start == 0) return false;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] -= w->start;
    char both[WORDS];
    snprintf(both, sizeof both,
             "%s, and it is overwritten (=) instead of added to (+=)", format);
    return explains(w, w->predicted, parameters, both, axis, number, f->n_terms);
}

/* The right sum, and its first or its last term once more. */
static bool term_twice(Wrong *w, const Formula *f) {
    for (int last = 0; last <= 1; last++) {
        size_t from = last ? f->n_terms - 1 : 0;
        for (size_t i = 0; i < w->n; i++)
            w->predicted[i] = formula_terms(w, f, i, 0, f->n_terms) +
                              formula_terms(w, f, i, from, from + 1);
        if (explains(w, w->predicted, 1, "has the %s term of the sum over %s twice",
                     last ? "last" : "first", known_facts()->axes[f->over].index))
            return true;
    }
    return false;
}

/* The right sum, with terms left out at its beginning or its end. */
static bool part_of_sum(Wrong *w, const Formula *f) {
    if (f->over == UNKNOWN_AXIS) return false;
    size_t n = f->n_terms, i = w->wrong[0];
    double allowed = 4 * w->tolerance * largest_wrong(w, w->expected, fabs(w->got[i]));
    if (part(w, f, n - 1, n,
             "has only the last term of the sum over %s (term %zu of %zu)", n))
        return true;
    for (size_t m = n - 1; m > 0; m--) {
        bool shorter = fabs(formula_terms(w, f, i, 0, m) - w->got[i]) <= allowed;
        if (shorter &&
            part(w, f, 0, m, "has of the sum over %s only the first %zu of %zu terms",
                 m))
            return true;
        bool later = fabs(formula_terms(w, f, i, n - m, n) - w->got[i]) <= allowed;
        if (later && part(w, f, n - m, n,
                          "has of the sum over %s only the last %zu of %zu terms", m))
            return true;
    }
    return part(w, f, 0, 1,
                "has only the first term of the sum over %s (term %zu of %zu)", 1) ||
           term_twice(w, f);
}

/* The right formula, with factor `number` read in another way; NaN if it has no such
 * places. */
static double value_read(const Wrong *w, const Formula *f, size_t number,
                         const Reading *other, size_t i) {
    size_t last = 0;
    for (size_t label = 0; label < known_facts()->n_axes; label++)
        last += other->stride[label] * (size_of_axis(label) - 1);
    if (last >= other->known->n) return NAN;
    Formula g = *f;
    *(number == 0 ? &g.a : number == 1 ? &g.b : &g.c) = other;
    return formula_terms(w, &g, i, 0, g.n_terms);
}

/* Predicts all numbers if the first wrong one fits. */
static bool predicted_as_read(Wrong *w, const Formula *f, size_t number,
                              const Reading *other) {
    size_t first = w->wrong[0];
    double allowed =
        4 * w->tolerance * largest_wrong(w, w->expected, fabs(w->got[first]));
    if (!(fabs(value_read(w, f, number, other, first) - w->got[first]) <= allowed))
        return false;
    for (size_t k = 0; k < w->n; k++)
        w->predicted[k] = value_read(w, f, number, other, k);
    return true;
}

static bool try_stride(Wrong *w, const Formula *f, size_t number, size_t label,
                       size_t stride) {
    const Reading *factors[] = {f->a, f->b, f->c};
    Reading other = *factors[number];
    size_t right = other.stride[label];
    other.stride[label] = stride;
    if (stride == right || !predicted_as_read(w, f, number, &other)) return false;
    const char *name = other.known->name, *index = known_facts()->axes[label].index;
    if (stride == 0)
        return explains(w, w->predicted, 1, "is made with %s 0 of %s, whatever the %s",
                        index, name, index);
    const char *size = number_in_words((double)stride, 1e-9);
    return explains(w, w->predicted, 1,
                    "is made with wrong places of %s: the next %s is read %zu numbers "
                    "further%s%s%s, it lies %zu "
                    "further",
                    name, index, stride, size ? " (" : "", size ? size : "",
                    size ? ")" : "", right);
}

/* gain[row] where gain[column] belongs. */
static bool try_index(Wrong *w, const Formula *f, size_t number, size_t label,
                      size_t instead) {
    const Reading *factors[] = {f->a, f->b, f->c};
    Reading other = *factors[number];
    const char *name = other.known->name, *right = known_facts()->axes[label].index,
               *wrong = known_facts()->axes[instead].index;
    if (other.stride[instead] != 0 || instead == label) return false;
    other.stride[instead] = other.stride[label];
    other.stride[label] = 0;
    return predicted_as_read(w, f, number, &other) &&
           explains(w, w->predicted, 1,
                    "is made with %s read by the %s, where the %s belongs", name, wrong,
                    right);
}

/* The right sum or product, but one array is read in the steps of another axis, or
 * always at index 0. */
static bool another_stride(Wrong *w, const Formula *f) {
    const Reading *factors[] = {f->a, f->b, f->c};
    const Facts *facts = known_facts();
    for (size_t number = 0; number < 3 && factors[number]; number++) {
        const Reading *r = factors[number];
        for (size_t k = 0; k < r->known->n_axes; k++) {
            if (try_stride(w, f, number, r->labels[k], 0)) return true;
            for (size_t a = 0; a < facts->n_axes; a++) {
                if (try_index(w, f, number, r->labels[k], a)) return true;
                if (try_stride(w, f, number, r->labels[k], facts->axes[a].size))
                    return true;
                for (size_t b = 0; b <= a; b++) {
                    size_t both = facts->axes[a].size * facts->axes[b].size;
                    if (try_stride(w, f, number, r->labels[k], both)) return true;
                }
            }
        }
    }
    return false;
}

static bool another_formula(Wrong *w, const Readings *all, const Formula *right) {
    Formula f;
    if (!formula_find(w, all, w->got, true, &f)) return false;
    char words[WORDS], expected[WORDS] = "";
    say(&f, w->tolerance, words);
    for (size_t i = 0; i < w->n; i++)
        w->predicted[i] = formula_terms(w, &f, i, 0, f.n_terms);
    /* one number is given without a factor: fits */
    double parameters = w->n == 1 ? 0 : 2;
    if (!right) return explains(w, w->predicted, parameters, "is %s", words);
    say(right, w->tolerance, expected);
    return explains(w, w->predicted, parameters, "is %s; expected: %s", words,
                    expected);
}

bool describe_sums(Wrong *w) {
    for (size_t k = 0; k < w->n_axes; k++) {
        if (w->labels[k] == UNKNOWN_AXIS) return false;
    }
    Readings all = {.n = 0};
    for (size_t a = 0; a < known_facts()->n_arrays; a++) {
        size_t labels[MAX_AXES];
        if (known_facts()->arrays[a].values)
            readings_add(&all, &known_facts()->arrays[a], labels, 0);
    }
    Formula right;
    bool known = formula_find(w, &all, w->expected, false, &right);
    return (known && (part_of_sum(w, &right) || another_stride(w, &right))) ||
           another_formula(w, &all, known ? &right : NULL);
}
