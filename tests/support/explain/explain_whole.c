/* The same thing is wrong with every number: a factor, a constant, a function of the
 * right number. See wrong.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/wrong.h"

/* Of a number near 1, what it is above 1 must fit: n / (n - 1) of a large n is near any
 * such number. */
static bool is_about(double value, double candidate, double tolerance) {
    return isfinite(candidate) && candidate != 1 && candidate != 0 &&
           fabs(value - candidate) <=
               fmin(tolerance * fabs(candidate), fabs(candidate - 1) / 20);
}

/* The factors that a size can give, the likeliest first. Small numbers are next to many
 * sizes: only of larger ones is a size plus or minus 1 worth a word. */
enum { SIZE_FORMS = 8 };

static double size_form(size_t form, double n) {
    const double values[SIZE_FORMS] = {n,
                                       sqrt(n),
                                       n * n,
                                       n * sqrt(n),
                                       n / (n - 1),
                                       sqrt(n / (n - 1)),
                                       n > 4 ? n - 1 : 0,
                                       n > 4 ? n + 1 : 0};
    return values[form];
}

static const char *const size_words[SIZE_FORMS] = {"%s",
                                                   "sqrt(%s)",
                                                   "%s^2",
                                                   "%s * sqrt(%s)",
                                                   "%s / (%s - 1)",
                                                   "sqrt(%s / (%s - 1))",
                                                   "%s - 1",
                                                   "%s + 1"};

/* The forms of a known number, the simpler ones first. 1 / (1 - x) is last, because it
 * is another number's 1 / y wherever the two add up to 1. */
enum { NUMBER_FORMS = 4 };

static double number_form(size_t form, double x) {
    const double values[NUMBER_FORMS] = {1 / x, 1 - x, x * x, 1 / (1 - x)};
    return values[form];
}

static const char *const number_words[NUMBER_FORMS] = {"1 / %s", "1 - %s", "%s^2",
                                                       "1 / (1 - %s)"};

static const char *number_from_two_sizes(double value, double a, double b,
                                         double tolerance) {
    if (is_about(value, a * b, tolerance)) return "%s * %s";
    if (is_about(value, a / b, tolerance)) return "%s / %s";
    return is_about(value, sqrt(a / b), tolerance) ? "sqrt(%s / %s)" : NULL;
}

/* Quotients of two known numbers: what is divided by the wrong one of them. */
static const char *number_from_two_numbers(double value, double tolerance) {
    static char words[WORDS];
    const Facts *f = known_facts();
    for (size_t i = 0; i < f->n_numbers; i++) {
        for (size_t j = 0; j < f->n_numbers; j++) {
            double a = f->numbers[i].value, b = f->numbers[j].value;
            if (i == j || !is_about(value, a / b, tolerance)) continue;
            snprintf(words, sizeof words, "%s / %s", f->numbers[i].name,
                     f->numbers[j].name);
            return words;
        }
    }
    return NULL;
}

/* A known number or size as it is: "rows", or where several are the same "rows or
 * n_in". */
const char *number_itself(double value, double tolerance) {
    static char words[WORDS];
    const Facts *f = known_facts();
    const char *names[MAX_KNOWN + MAX_AXES];
    size_t used = 0, n = 0;
    for (size_t i = 0; i < f->n_numbers; i++) {
        if (is_about(value, f->numbers[i].value, tolerance))
            names[n++] = f->numbers[i].name;
    }
    for (size_t i = 0; i < f->n_axes; i++) {
        if (is_about(value, (double)f->axes[i].size, tolerance))
            names[n++] = f->axes[i].name;
    }
    for (size_t i = 0; i < n; i++) {
        bool named = used >= WORDS;
        for (size_t j = 0; j < i; j++) named |= strcmp(names[i], names[j]) == 0;
        if (!named)
            used += (size_t)snprintf(words + used, WORDS - used, "%s%s",
                                     used ? " or " : "", names[i]);
    }
    return used ? words : NULL;
}

const char *number_in_words(double value, double tolerance) {
    static char words[WORDS];
    const Facts *f = known_facts();
    const char *itself = number_itself(value, tolerance);
    if (itself) return itself;
    for (size_t form = 0; form < NUMBER_FORMS; form++) {
        for (size_t i = 0; i < f->n_numbers; i++) {
            if (!is_about(value, number_form(form, f->numbers[i].value), tolerance))
                continue;
            snprintf(words, sizeof words, number_words[form], f->numbers[i].name);
            return words;
        }
    }
    for (size_t form = 1; form < SIZE_FORMS; form++) {
        for (size_t i = 0; i < f->n_axes; i++) {
            const char *name = f->axes[i].name;
            if (!is_about(value, size_form(form, (double)f->axes[i].size), tolerance))
                continue;
            snprintf(words, sizeof words, size_words[form], name, name);
            return words;
        }
    }
    for (size_t i = 0; i < f->n_axes; i++) {
        for (size_t j = 0; j < f->n_axes; j++) {
            const char *form = number_from_two_sizes(
                value, (double)f->axes[i].size, (double)f->axes[j].size, tolerance);
            if (!form || i == j) continue;
            snprintf(words, sizeof words, form, f->axes[i].name, f->axes[j].name);
            return words;
        }
    }
    return number_from_two_numbers(value, tolerance);
}

/* The wrong element whose right number is largest: the best one to fit a factor at. */
static size_t best_element(const Wrong *w) {
    size_t best = w->wrong[0];
    for (size_t k = 0; k < w->n_wrong; k++) {
        if (fabs(w->expected[w->wrong[k]]) > fabs(w->expected[best]))
            best = w->wrong[k];
    }
    return best;
}

/* A size that scales a result scales all of it. Of a part alone, a small whole number
 * is some size by chance: a token occurs three times, and dim is 3. */
static bool is_by_chance(const Wrong *w, double size, double precision) {
    if (size > 16 || !is_about(size, round(size), precision)) return false;
    for (size_t i = 0; i < w->n; i++) {
        if (!w->is_wrong[i] && w->expected[i] != 0) return true;
    }
    return false;
}

static bool one_factor(Wrong *w) {
    size_t best = best_element(w);
    if (w->expected[best] == 0 || !isfinite(w->expected[best])) return false;
    double factor = w->got[best] / w->expected[best], precision = 8 * w->tolerance;
    /* One number alone is 0 only where it is: the mean of a million is within the
     * tolerance of a sum. */
    if (fabs(factor) < precision && (w->n_wrong > 1 || w->got[best] == 0)) factor = 0;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = factor * w->expected[i];
    if (factor == 0)
        return explains(w, w->predicted, 0,
                        largest_wrong(w, w->got, 0) > 0 ? "is 0, or nearly 0" : "is 0");
    /* Of one wrong number among others, any factor is a coincidence. */
    if (w->n_wrong == 1 && (factor < 0 || w->n > 1)) return false;
    if (is_about(factor, -1, precision))
        return explains(w, w->predicted, 0, "has the wrong sign");
    double size = fabs(factor) > 1 ? fabs(factor) : 1 / fabs(factor);
    /* other forms are coincidences then */
    bool plain = w->n_wrong == 1 || is_about(size, 2, precision);
    const char *name = plain ? number_itself(size, precision)
                             : number_in_words(size, precision),
               *relation = fabs(factor) > 1 ? "large" : "small",
               *sign = factor < 0 ? ", and has the wrong sign" : "";
    if (is_about(size, 2, precision)) { /* 2 is what is added twice, or not halved, and
                                           any size may be 2 */
        return explains(w, w->predicted, 0, "is 2 times too %s%s%s%s%s", relation,
                        factor > 1 && w->n_wrong > 1 ? " (is it added twice?)" : "",
                        sign, name ? "; 2 is also " : "", name ? name : "");
    }
    if (name && is_by_chance(w, size, precision)) {
        return explains(w, w->predicted, 1, "is %.6g times too %s%s", size, relation,
                        sign);
    }
    if (name) {
        return explains(w, w->predicted, 0, "is %.6g times too %s, and %.6g is %s%s",
                        size, relation, size, name, sign);
    }
    return explains(w, w->predicted, 1, "is %.6g times what it should be", factor);
}

/* ", which belongs to row 3": where the right numbers have this one; "" where none or
 * all have. */
static void owner_in_words(const Wrong *w, double value, char words[WORDS]) {
    char place[WORDS];
    size_t owner = w->n, owners = 0;
    double allowed = 2 * w->tolerance * largest_wrong(w, w->expected, 0);
    for (size_t i = w->n; i-- > 0;) {
        if (fabs(w->expected[i] - value) <= allowed) {
            owner = i;
            owners++;
        }
    }
    *words = 0;
    if (owners != 1) return;
    element_in_words(w, owner, place);
    snprintf(words, WORDS, ", which belongs to %.*s", WORDS - 30, place);
}

static bool one_constant(Wrong *w) {
    size_t first = w->wrong[0];
    double more = w->got[first] - w->expected[first];
    char owner[WORDS];
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->got[first];
    owner_in_words(w, w->got[first], owner);
    if (w->n_wrong > 1 &&
        explains(w, w->predicted, 1, "is %.6g%s", w->got[first], owner))
        return true;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->expected[i] + more;
    const char *name = number_itself(fabs(more), 8 * w->tolerance);
    return explains(w, w->predicted, 1, "is too %s by %.6g%s%s",
                    more > 0 ? "large" : "small", fabs(more), name ? ", which is " : "",
                    name ? name : "");
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

/* Any function gives one number of one number: what is wrong must have several right
 * ones. */
static bool has_several_values(const Wrong *w) {
    for (size_t k = 1; k < w->n_wrong; k++) {
        if (w->expected[w->wrong[k]] != w->expected[w->wrong[0]]) return true;
    }
    return false;
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
    if (!has_several_values(w)) return false;
    /* Where all are wrong, the last two are a sign or a 0. */
    size_t n = sizeof functions / sizeof *functions - (w->n_wrong == w->n ? 2 : 0);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < w->n; i++)
            w->predicted[i] = functions[k].of(w->expected[i]);
        if (explains(w, w->predicted, 1, "%s", functions[k].words)) return true;
    }
    return false;
}

bool describe_whole(Wrong *w) {
    return overwritten(w) || one_function(w) || one_factor(w) || one_constant(w);
}
