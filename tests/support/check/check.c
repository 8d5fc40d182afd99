/* How a test compares numbers: see check.h. */
#include "check/check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/checksum.h"
#include "explain/explain.h"
#include "base/memory.h"
#include "math/random.h"
#include "verdict/finding.h"

enum { MESSAGE_BYTES = 4096 };

static bool is_close(double got, double expected, double allowed) {
    if (isnan(expected)) return isnan(got);
    if (isinf(expected)) return got == expected;
    return fabs(got - expected) <= allowed;
}

static double largest(const double *x, size_t n) {
    double scale = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) scale = fmax(scale, fabs(x[i]));
    }
    return scale > 0 ? scale : 1;
}

static bool all_close(const double *got, const double *expected, size_t n,
                      double tolerance) {
    double allowed = tolerance * largest(expected, n);
    for (size_t i = 0; i < n; i++) {
        if (!is_close(got[i], expected[i], allowed)) return false;
    }
    return true;
}

/* A mistake is likely if it gives all the numbers, and if these say something: a NaN
 * has many causes, and so has an infinity where none should be. */
typedef enum { UNLIKELY, PERHAPS, LIKELY } Likelihood;

/* A NaN from an output that was never written differs from a computed NaN. */
static bool is_written_else(const Mistake *mistake, const Comparison *c) {
    for (size_t i = 0; i < c->n; i++) {
        if (is_start_nan(mistake->values[i]) && !is_start_nan(c->got[i])) return true;
    }
    return false;
}

static Likelihood likelihood(const Mistake *mistake, const Comparison *c) {
    if (is_written_else(mistake, c)) return UNLIKELY;
    /* A mistake that this input cannot tell from the right answer says nothing. */
    if (!all_close(c->got, mistake->values, c->n, c->tolerance) ||
        all_close(mistake->values, c->expected, c->n, c->tolerance)) {
        return UNLIKELY;
    }
    double allowed = c->tolerance * largest(c->expected, c->n);
    bool finite = false, infinite = false, infinity_is_right = false;
    for (size_t i = 0; i < c->n; i++) {
        infinity_is_right |= isinf(c->expected[i]) != 0;
        if (is_close(mistake->values[i], c->expected[i], allowed)) continue;
        finite |= isfinite(mistake->values[i]) != 0;
        infinite |= isinf(mistake->values[i]) != 0;
    }
    return finite || (infinite && infinity_is_right) ? LIKELY : PERHAPS;
}

/* Adds the mistakes of this likelihood, each once. */
static void name_mistakes(Finding *finding, const Comparison *c,
                          const Mistake *mistakes, size_t n, Likelihood wanted) {
    for (size_t m = 0; m < n; m++) {
        bool named = false;
        for (size_t k = 0; k < finding->n_suspects; k++)
            named |= strcmp(finding->suspects[k], mistakes[m].when) == 0;
        if (named || finding->n_suspects == MOST_SUSPECTS ||
            likelihood(&mistakes[m], c) != wanted)
            continue;
        finding->suspects[finding->n_suspects++] = mistakes[m].when;
    }
}

/* Whether no number is off by what a gradient that is overwritten lacks, or nearly. */
static bool is_nearly_right(const Comparison *c) {
    for (size_t i = 0; i < c->n; i++)
        if (!(fabs(c->got[i] - c->expected[i]) < c->start / 2)) return false;
    return true;
}

/* Adds a description of the numbers; of a gradient, where there is none, one of the
 * numbers as if it had been overwritten too. */
static void add_explanation(Finding *finding, Pool *pool, const Comparison *c) {
    Explanation plain, more = {0};
    bool found = explain(&plain, c), also = false;
    if (c->start != 0 && !plain.pattern && !is_nearly_right(c)) {
        double *got = checked_alloc(c->n, sizeof *got);
        for (size_t i = 0; i < c->n; i++) got[i] = c->got[i] + c->start;
        Comparison overwritten = *c;
        overwritten.got = got;
        overwritten.start = 0;
        /* The absolute tolerance stays, though the numbers are larger now: otherwise
         * all small gradients would equal the start. */
        overwritten.tolerance *= largest(c->expected, c->n) /
                                 fmax(largest(c->expected, c->n), largest(got, c->n));
        also = explain(&more, &overwritten) && more.pattern;
        free(got);
    }
    if (!found && !also) return;
    const Explanation *chosen = also ? &more : &plain;
    const char *words = pool_format(
        pool, "%s%s", chosen->words,
        also ? ", and the gradient is overwritten (=) instead of added to (+=)" : "");
    if (chosen->pattern)
        finding->numbers = words;
    else
        finding->located = words;
}

void rule_out(const char *when) {
    if (getenv("CHECK_BITS")) fprintf(stderr, "not: %s\n", when);
}

/* Whether one of the sets of numbers that a mistake is listed with, for there may be
 * several, is nearly that. */
static bool may_give(const char *when, const double *numbers, const Comparison *c,
                     const Mistake *mistakes, size_t n) {
    for (size_t m = 0; m < n; m++) {
        if (strcmp(mistakes[m].when, when) == 0 &&
            all_close(numbers, mistakes[m].values, c->n, 100 * c->tolerance))
            return true;
    }
    return false;
}

/* A mistake whose numbers are those that are right here is not ruled out. */
static void say_ruled_out(const Comparison *c, const Mistake *mistakes, size_t n) {
    for (size_t m = 0; m < n; m++) {
        const char *when = mistakes[m].when;
        bool shows = true;
        for (size_t k = 0; k < n && shows; k++)
            shows = strcmp(mistakes[k].when, when) != 0 ||
                    !all_close(mistakes[k].values, c->expected, c->n, c->tolerance);
        if (shows && !may_give(when, c->got, c, mistakes, n)) rule_out(when);
    }
}

/* "right: dx WHEN": numbers that are right where that listed mistake would have made
 * others. Another test that fails with it has found a special case of it, no more. Each
 * is said once. */
static void say_not_made(const Comparison *c, const Mistake *mistakes, size_t n) {
    enum { MOST = 200 };
    static char *said[MOST];
    for (size_t m = 0; m < n && getenv("CHECK_BITS"); m++) {
        if (may_give(mistakes[m].when, c->expected, c, mistakes, n)) continue;
        char line[MESSAGE_BYTES];
        snprintf(line, sizeof line, "%.*s %s", (int)strcspn(c->what, " ,"), c->what,
                 mistakes[m].when);
        size_t at = 0;
        while (at < MOST && said[at] && strcmp(said[at], line) != 0) at++;
        if (at == MOST || said[at]) continue;
        said[at] = checked_strdup(line);
        fprintf(stderr, "right: %s\n", line);
    }
}

/* How much is wrong, and the worst of it. */
static void add_worst(Finding *finding, Pool *pool, const Comparison *c) {
    double allowed = c->tolerance * largest(c->expected, c->n), worst_by = -1;
    size_t worst = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (is_close(c->got[i], c->expected[i], allowed)) continue;
        finding->wrong++;
        double by = isfinite(c->got[i]) ? fabs(c->got[i] - c->expected[i]) : INFINITY;
        if (by > worst_by) {
            worst_by = by;
            worst = i;
        }
    }
    double got = isnan(c->got[worst]) ? (double)NAN : c->got[worst];
    finding->at = place_in_words(c->what, c->n, worst);
    finding->got = number_beside(pool, got, c->expected[worst]);
    finding->expected = number_beside(pool, c->expected[worst], got);
    finding->allowed = pool_format(pool, "%.2g", allowed);
}

/* The finding as data, for the verdict, which weighs it against others
 * (tests/support/verdict). */
static void say_finding(const Finding *finding) {
    if (!getenv("CHECK_DATA")) return;
    Text line = {0};
    finding_write(&line, finding);
    char *text = text_take(&line);
    fputs(text, stderr);
    free(text);
}

static const char *compare_doubles(const Comparison *c, const Mistake *mistakes,
                                   size_t n_mistakes) {
    if (all_close(c->got, c->expected, c->n, c->tolerance)) {
        say_not_made(c, mistakes, n_mistakes);
        return NULL;
    }
    Pool pool = {0};
    Finding finding = {.what = c->what, .of = c->n};
    add_worst(&finding, &pool, c);
    say_ruled_out(c, mistakes, n_mistakes);
    /* Several that this input cannot tell apart are guesses, as those that only predict
     * NaN. */
    name_mistakes(&finding, c, mistakes, n_mistakes, LIKELY);
    if (finding.n_suspects == 1) {
        finding.fact = finding.suspects[0];
        finding.n_suspects = 0;
    } else {
        add_explanation(&finding, &pool, c);
        if (finding.n_suspects == 0)
            name_mistakes(&finding, c, mistakes, n_mistakes, PERHAPS);
    }
    say_finding(&finding);
    static char message[MESSAGE_BYTES];
    Text sentence = {0};
    finding_sentence(&sentence, &finding);
    char *text = text_take(&sentence);
    snprintf(message, sizeof message, "%s", text);
    free(text);
    pool_free(&pool);
    return message;
}

/* "bits: SUM numbers=20,rows=4,dim=5 WHAT": what tools/learner/exercise.sh compares
 * between runs with several numbers of threads, and the sizes that
 * verdict/notes.h compares between tests. */
static void say_bits(const char *what, const float *got, size_t n) {
    if (!getenv("CHECK_BITS")) return;
    char text[CHECKSUM_TEXT];
    Checksum sum = checksum_begin();
    checksum_add(&sum, got, n * sizeof *got);
    checksum_end(&sum, text);
    fprintf(stderr, "bits: %s numbers=%zu", text, n);
    const Facts *f = known_facts();
    for (size_t k = 0; k < f->n_axes; k++)
        fprintf(stderr, ",%s=%zu", f->axes[k].name, f->axes[k].size);
    fprintf(stderr, " %s\n", what);
}

const char *compare(const char *what, const float *got, const double *expected,
                    size_t n, double tolerance, const Mistake *mistakes,
                    size_t n_mistakes) {
    say_bits(what, got, n);
    double *copy = as_double(got, n);
    Comparison c = {.what = what,
                    .got = copy,
                    .expected = expected,
                    .n = n,
                    .tolerance = tolerance};
    const char *message = compare_doubles(&c, mistakes, n_mistakes);
    free(copy);
    return message;
}

/* Whether outputs and gradients start as 0, to find out what that changes
 * (verdict/notes.h). */
static bool all_zeros(void) {
    return getenv("CHECK_ZEROS") != NULL;
}

static float gradient_start(void) {
    return all_zeros() ? 0 : 1.5f;
}

/* A gradient that was overwritten, as it looks after its start has been subtracted. */
static double *overwritten(const double *values, size_t n) {
    double *less = checked_alloc(n, sizeof *less);
    for (size_t i = 0; i < n; i++) less[i] = values[i] - (double)gradient_start();
    return less;
}

/* Beside the test's own mistakes: overwritten, nothing done, and each mistake together
 * with overwritten. */
const char *compare_added(const char *what, const float *got, const double *expected,
                          size_t n, double tolerance, const Mistake *mistakes,
                          size_t n_mistakes) {
    say_bits(what, got, n);
    double *added = as_double(got, n), start = (double)gradient_start();
    for (size_t i = 0; i < n; i++) added[i] -= start;
    /* Rounding of 1.5 + gradient: the tolerance is relative to the larger of the
     * two. */
    double allowed = tolerance * fmax(1.0, start / largest(expected, n));
    if (all_close(added, expected, n, allowed)) {
        say_not_made(&(Comparison){.what = what,
                                   .got = added,
                                   .expected = expected,
                                   .n = n,
                                   .tolerance = allowed,
                                   .start = start},
                     mistakes, n_mistakes);
        free(added);
        return NULL;
    }
    /* dx, or C */
    const char *it = what[0] == 'd' || strstr(what, "gradient") ? "the gradient" : "it";
    char words[2][80];
    snprintf(words[0], sizeof *words, "%s is overwritten (=) instead of added to (+=)",
             it);
    snprintf(words[1], sizeof *words, "nothing is added to %s, or only 0", it);
    size_t n_all = 0;
    Mistake *all = checked_alloc(2 * n_mistakes + 2, sizeof *all);
    all[n_all++] = (Mistake){words[0], overwritten(expected, n)};
    /* Exactly nothing: a gradient that is too small by far may lie within the tolerance
     * of none. */
    double *nothing = checked_alloc(n, sizeof *nothing);
    if (all_close(added, nothing, n, 0))
        all[n_all++] = (Mistake){words[1], nothing};
    else
        rule_out(words[1]);
    for (size_t m = 0; m < n_mistakes; m++) all[n_all++] = mistakes[m];
    for (size_t m = 0; m < n_mistakes; m++) {
        enum { BYTES = 300 };
        char *both = checked_alloc(BYTES, 1);
        snprintf(both, BYTES, "%s, and %s", mistakes[m].when, words[0]);
        all[n_all++] = (Mistake){both, overwritten(mistakes[m].values, n)};
    }
    Comparison c = {.what = what,
                    .got = added,
                    .expected = expected,
                    .n = n,
                    .tolerance = allowed,
                    .start = start};
    return compare_doubles(&c, all, n_all);
}

/* A NaN of its own kind, so that it is not taken for one that was computed, not even
 * where only its lower bytes were written. */
static const uint32_t UNWRITTEN = 0x7fedbeef, COMPUTED = 0x7fc00000;

static float start_nan(void) {
    float x;
    memcpy(&x, &UNWRITTEN, sizeof x);
    return x;
}

bool is_start_nan(double x) {
    double start = (double)start_nan();
    return memcmp(&x, &start, sizeof x) == 0;
}

bool is_cut_nan(double x) {
    float rounded = (float)x;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return isnan(rounded) && bits >> 24 == UNWRITTEN >> 24 && bits != UNWRITTEN &&
           bits != COMPUTED;
}

float *equal_floats(size_t n, float value) {
    float *x = guarded_alloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = value;
    return x;
}

float *nan_floats(size_t n) {
    return equal_floats(n, all_zeros() ? 0 : start_nan());
}

float *ones_and_a_half(size_t n) {
    return equal_floats(n, gradient_start());
}

float *normal_floats(size_t n, double std, unsigned seed) {
    float *x = guarded_alloc(n, sizeof *x);
    Random r = random_create(seed);
    random_fill_normal(&r, x, n, (float)std);
    return x;
}

double *as_double(const float *x, size_t n) {
    double *copy = checked_alloc(n, sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = (double)x[i];
    return copy;
}

const char *with_size(const char *what, size_t rows, size_t dim) {
    static char text[100];
    snprintf(text, sizeof text, "%s of %zu rows of %zu", what, rows, dim);
    return text;
}
