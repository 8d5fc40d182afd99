/* Which product of known arrays gives the numbers: see formula.h. */
#include "explain/formula.h"

#include <math.h>

size_t size_of_axis(size_t label) {
    return known_facts()->axes[label].size;
}

void readings_add(Readings *all, const Known *known, size_t *labels, size_t chosen) {
    const Facts *f = known_facts();
    if (chosen < known->n_axes && chosen < MAX_AXES) {
        for (size_t label = 0; label < f->n_axes; label++) {
            bool fits = known->n_axes == 2 ||
                        size_of_axis(label) == size_of_axis(known->axes[chosen]);
            for (size_t k = 0; k < chosen; k++) fits &= labels[k] != label;
            labels[chosen] = label;
            if (fits) readings_add(all, known, labels, chosen + 1);
        }
        return;
    }
    Reading r = {.known = known, .natural = true};
    size_t step = 1;
    for (size_t k = chosen; k-- > 0;) {
        r.natural &= labels[k] == known->axes[k];
        r.labels[k] = labels[k];
        r.stride[labels[k]] = step;
        step *= size_of_axis(labels[k]);
    }
    if (step == known->n && all->n < MAX_READINGS) all->readings[all->n++] = r;
}

static size_t place_in(const Reading *r, const size_t index[MAX_AXES]) {
    size_t at = 0;
    for (size_t label = 0; label < known_facts()->n_axes; label++)
        at += r->stride[label] * index[label];
    return at;
}

double formula_terms(const Wrong *w, const Formula *f, size_t i, size_t first,
                     size_t end) {
    size_t index[MAX_AXES] = {0};
    for (size_t k = 0; k < w->n_axes; k++) index[w->labels[k]] = index_along(w, i, k);
    const Reading *factors[] = {f->a, f->b, f->c};
    size_t at[3], step[3], n = f->c ? 3 : f->b ? 2 : 1;
    for (size_t k = 0; k < n; k++) {
        at[k] = place_in(factors[k], index);
        step[k] = f->over == UNKNOWN_AXIS ? 0 : factors[k]->stride[f->over];
    }
    double sum = 0;
    for (size_t l = first; l < end; l++) {
        double term = 1;
        for (size_t k = 0; k < n; k++)
            term *= factors[k]->known->values[at[k] + l * step[k]];
        sum += term;
    }
    return f->factor * sum;
}

/* Every axis of a factor is one of the result's, or the one that is summed. */
static bool has_only(const Wrong *w, const Reading *r, size_t over) {
    for (size_t k = 0; k < r->known->n_axes; k++) {
        bool there = r->labels[k] == over;
        for (size_t j = 0; j < w->n_axes; j++) there |= r->labels[k] == w->labels[j];
        if (!there) return false;
    }
    return true;
}

static bool gives(const Wrong *w, const Formula *f, const double *target, size_t i,
                  double allowed) {
    return fabs(formula_terms(w, f, i, 0, f->n_terms) - target[i]) <= allowed;
}

/* The factor from the largest number, then all numbers of the set: the wrong ones, or
 * all. */
static bool fits(const Wrong *w, Formula *f, const double *target, bool only_wrong,
                 size_t best) {
    double allowed = 3 * w->tolerance * fabs(target[best]);
    f->factor = 1;
    double value = formula_terms(w, f, best, 0, f->n_terms);
    if (value == 0 || target[best] == 0) return false;
    f->factor = target[best] / value;
    if (fabs(f->factor - 1) <= 10 * w->tolerance) f->factor = 1;
    size_t n = only_wrong ? w->n_wrong : w->n;
    for (size_t k = 0; k < n; k++) {
        if (!gives(w, f, target, only_wrong ? w->wrong[k] : k, allowed)) return false;
    }
    /* With a factor of its own any formula gives one number. */
    return n > 2 || (w->n == 1 && f->factor == 1);
}

static bool find_among(const Wrong *w, const Readings *all, const double *target,
                       bool only_wrong, size_t best, size_t over, Formula *f) {
    /* as few strange readings as possible */
    for (int natural = 2; natural >= 0; natural--) {
        for (size_t a = 0; a < all->n; a++) {
            if (!has_only(w, &all->readings[a], over)) continue;
            for (size_t b = a; b <= all->n; b++) { /* b = n: none */
                const Reading *left = &all->readings[a],
                              *right = b < all->n ? &all->readings[b] : NULL;
                if (left->natural + (right ? right->natural : 1) != natural) continue;
                if (right && !has_only(w, right, over)) continue;
                if (over != UNKNOWN_AXIS && !left->stride[over] &&
                    (!right || !right->stride[over]))
                    continue;
                *f = (Formula){.a = left,
                               .b = right,
                               .over = over,
                               .n_terms = over == UNKNOWN_AXIS ? 1 : size_of_axis(over),
                               .factor = 1};
                if (fits(w, f, target, only_wrong, best)) return true;
            }
        }
    }
    return false;
}

/* Three factors, each read as it is. */
static bool find_triple(const Wrong *w, const Readings *all, const double *target,
                        bool only_wrong, size_t best, size_t over, Formula *f) {
    const Reading *usable[MAX_KNOWN];
    size_t n = 0;
    for (size_t a = 0; a < all->n; a++) {
        if (all->readings[a].natural && has_only(w, &all->readings[a], over))
            usable[n++] = &all->readings[a];
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a; b < n; b++) {
            for (size_t c = b; c < n; c++) {
                if (!usable[a]->stride[over] && !usable[b]->stride[over] &&
                    !usable[c]->stride[over])
                    continue;
                *f = (Formula){.a = usable[a],
                               .b = usable[b],
                               .c = usable[c],
                               .over = over,
                               .n_terms = size_of_axis(over),
                               .factor = 1};
                if (fits(w, f, target, only_wrong, best)) return true;
            }
        }
    }
    return false;
}

bool formula_find(const Wrong *w, const Readings *all, const double *target,
                  bool only_wrong, Formula *f) {
    size_t best = only_wrong ? w->wrong[0] : 0, n = only_wrong ? w->n_wrong : w->n;
    for (size_t k = 0; k < n; k++) {
        size_t i = only_wrong ? w->wrong[k] : k;
        if (fabs(target[i]) > fabs(target[best])) best = i;
    }
    if (find_among(w, all, target, only_wrong, best, UNKNOWN_AXIS, f)) return true;
    for (size_t over = 0; over < known_facts()->n_axes; over++) {
        bool in_result = false;
        for (size_t k = 0; k < w->n_axes; k++) in_result |= w->labels[k] == over;
        if (in_result) continue;
        if (find_among(w, all, target, only_wrong, best, over, f)) return true;
        if (find_triple(w, all, target, only_wrong, best, over, f)) return true;
    }
    return false;
}
