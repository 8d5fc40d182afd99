/* The same thing is wrong with every number: a factor, a constant, a function of the right number. See
 * wrong.h. */
#include <math.h>
#include <stdio.h>

#include "wrong.h"

/* A number that a size or two can give, as "sqrt(%s)" or "%s * %s". */
static bool is_about(double value, double candidate, double tolerance) {
    return fabs(value - candidate) <= tolerance * fabs(candidate) && candidate != 1 && candidate != 0;
}

static bool from_one_size(double value, double size, const char *name, double tolerance, char words[WORDS]) {
    const struct {
        double value;
        const char *words;
    } forms[] = {{size, "%s"},
                 {sqrt(size), "sqrt(%s)"},
                 {size - 1, "%s - 1"},
                 {size + 1, "%s + 1"},
                 {size / (size - 1), "%s / (%s - 1)"},
                 {(size + 1) / size, "(%s + 1) / %s"},
                 {sqrt(size / (size - 1)), "sqrt(%s / (%s - 1))"},
                 {size * size, "%s^2"},
                 {size * sqrt(size), "%s * sqrt(%s)"}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (!is_about(value, forms[k].value, tolerance)) continue;
        snprintf(words, WORDS, forms[k].words, name, name);
        return true;
    }
    return false;
}

const char *number_in_words(double value, double tolerance) {
    static char words[WORDS];
    const Facts *f = known_facts();
    for (size_t i = 0; i < f->n_numbers; i++) {
        double number = f->numbers[i].value;
        const char *form = is_about(value, number, tolerance)             ? "%s"
                           : is_about(value, 1 / number, tolerance)       ? "1 / %s"
                           : is_about(value, 1 - number, tolerance)       ? "1 - %s"
                           : is_about(value, 1 / (1 - number), tolerance) ? "1 / (1 - %s)"
                           : is_about(value, number * number, tolerance)  ? "%s^2"
                                                                          : NULL;
        if (!form) continue;
        snprintf(words, sizeof words, form, f->numbers[i].name);
        return words;
    }
    for (size_t i = 0; i < f->n_axes; i++) {
        if (from_one_size(value, (double)f->axes[i].size, f->axes[i].name, tolerance, words)) return words;
    }
    for (size_t i = 0; i < f->n_axes; i++) {
        for (size_t j = 0; j < f->n_axes; j++) {
            double a = (double)f->axes[i].size, b = (double)f->axes[j].size;
            const char *form = i != j && is_about(value, sqrt(a / b), tolerance) ? "sqrt(%s / %s)"
                               : i < j && is_about(value, a * b, tolerance)      ? "%s * %s"
                               : i != j && is_about(value, a / b, tolerance)     ? "%s / %s"
                                                                                 : NULL;
            if (!form) continue;
            snprintf(words, sizeof words, form, f->axes[i].name, f->axes[j].name);
            return words;
        }
    }
    return NULL;
}

/* The wrong element whose right number is largest: the best one to fit a factor at. */
static size_t best_element(const Wrong *w) {
    size_t best = w->wrong[0];
    for (size_t k = 0; k < w->n_wrong; k++) {
        if (fabs(w->expected[w->wrong[k]]) > fabs(w->expected[best])) best = w->wrong[k];
    }
    return best;
}

static bool one_factor(Wrong *w) {
    size_t best = best_element(w);
    if (w->expected[best] == 0 || !isfinite(w->expected[best])) return false;
    double factor = w->got[best] / w->expected[best], precision = 8 * w->tolerance;
    if (fabs(factor) < precision) factor = 0;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = factor * w->expected[i];
    if (factor == 0) return explains(w, w->predicted, 0, "is 0");
    if (is_about(factor, -1, precision)) return explains(w, w->predicted, 0, "has the wrong sign");
    double size = fabs(factor) > 1 ? fabs(factor) : 1 / fabs(factor);
    const char *name = number_in_words(size, precision), *relation = fabs(factor) > 1 ? "large" : "small",
               *sign = factor < 0 ? ", and has the wrong sign" : "";
    bool twice = is_about(size, 2, precision);
    const char *guess = !twice ? "" : fabs(factor) > 1 ? " (or is it added twice?)" : "";
    if (name) {
        return explains(w, w->predicted, 0, "is %.6g times too %s, and %.6g is %s%s%s", size, relation, size,
                        name, guess, sign);
    }
    if (twice) return explains(w, w->predicted, 0, "is 2 times too %s%s%s", relation, guess, sign);
    return explains(w, w->predicted, 1, "is %.6g times what it should be", factor);
}

static bool one_constant(Wrong *w) {
    size_t first = w->wrong[0];
    double more = w->got[first] - w->expected[first];
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->got[first];
    if (w->n_wrong > 1 && explains(w, w->predicted, 1, "is %.6g", w->got[first])) return true;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->expected[i] + more;
    const char *name = number_in_words(fabs(more), 8 * w->tolerance);
    return explains(w, w->predicted, 1, "is too %s by %.6g%s%s", more > 0 ? "large" : "small", fabs(more),
                    name ? ", which is " : "", name ? name : "");
}

/* Of a gradient: what = leaves where += belongs. */
static bool overwritten(Wrong *w) {
    if (w->start == 0) return false;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->expected[i] - w->start;
    return explains(w, w->predicted, 0, "is overwritten (=) instead of added to (+=)");
}

static double square(double x) {
    return x * x;
}

static double inverse(double x) {
    return 1 / x;
}

static double root_inverse(double x) {
    return 1 / sqrt(x);
}

static double cut_below(double x) {
    return x > 0 ? x : 0;
}

static bool one_function(Wrong *w) {
    static const struct {
        double (*of)(double);
        const char *words;
    } functions[] = {{inverse, "is 1 over what it should be"},
                     {square, "is the square of what it should be"},
                     {sqrt, "is the square root of what it should be"},
                     {root_inverse, "is 1 over the square root of what it should be"},
                     {exp, "is e to the power of what it should be"},
                     {log, "is the logarithm of what it should be"},
                     {fabs, "has lost its sign"},
                     {cut_below, "is 0 because it should be negative"}};
    /* Where all are wrong, the last two are a sign or a 0. */
    size_t n = sizeof functions / sizeof *functions - (w->n_wrong == w->n ? 2 : 0);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < w->n; i++) w->predicted[i] = functions[k].of(w->expected[i]);
        if (explains(w, w->predicted, 1, "%s", functions[k].words)) return true;
    }
    return false;
}

bool describe_whole(Wrong *w) {
    return overwritten(w) || one_function(w) || one_factor(w) || one_constant(w);
}
