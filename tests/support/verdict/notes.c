/* See notes.h. */
#include "verdict/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/run.h"

typedef struct {
    Pool pool;
    TestsRun many, one, zeros, filled;
    const FurtherRuns *texts;
} Notes;

/* The last wrong comparison of a test, or NULL. */
static const Finding *found_in(const TestRun *test) {
    return test->n_findings ? &test->findings[test->n_findings - 1] : NULL;
}

static const char *race_of(Notes *n, const char *test) {
    const char *at = n->texts->races;
    size_t length = strlen(test);
    for (char *line; at && (line = next_line(&n->pool, &at));)
        if (strncmp(line, test, length) == 0 && begins_with(line + length, ": "))
            return line + length + 2;
    return NULL;
}

/* --- outputs that begin as 0 ------------------------------------------------ */

static bool is_gradient(const Finding *f) {
    return f && ((f->what[0] == 'd' && f->what[1] >= 'a' && f->what[1] <= 'z') ||
                 strstr(f->what, "gradient"));
}

static bool is_none(const char *number) {
    return strstr(number, "nan") != NULL;
}

/* Some numbers are never written that should be 0. */
static bool is_zero(const Finding *f) {
    const char *words = f->numbers ? f->numbers : f->located;
    return f->wrong < f->of && is_none(f->got) && same_text(f->expected, "0") &&
           words && strstr(words, "are never written");
}

/* The gradient lacks what it held before, the 1.5 of ones_and_a_half. */
static bool is_lost(const TestRun *test, const Finding *f) {
    double by = strtod(f->expected, NULL) - strtod(f->got, NULL);
    return (by > 1.499 && by < 1.501) ||
           (test->message && strstr(test->message, "overwritten (=)"));
}

static const char *note_of_zeros(Notes *n, const TestRun *test) {
    const Finding *f = found_in(test);
    const char *it = is_gradient(f) ? "a gradient" : "an output",
               *right = "where all outputs begin as 0 it is right: ";
    if (f && is_zero(f))
        return pool_format(&n->pool,
                           "%sthis is what you get when a number that must be 0 "
                           "is not written",
                           right);
    if (!f || is_none(f->got))
        return pool_format(&n->pool,
                           "%sthis is what you get when something is added (+=) "
                           "to what must be set (=), or memory is read before "
                           "it is written",
                           right);
    if (is_lost(test, f))
        return pool_format(&n->pool,
                           "%sthis is what you get when %s is overwritten (=) "
                           "instead of added to (+=)",
                           right, it);
    return pool_format(&n->pool,
                       "%swhat %s held before is used in a calculation, or "
                       "scaled; it must %sonly be added to (+=)",
                       right, it, is_gradient(f) ? "" : "be set (=), or ");
}

/* --- fresh memory ------------------------------------------------------------ */

static char *without_sign_of_nan(Pool *pool, const char *said) {
    char *text = pool_cut(pool, said, said + strlen(said));
    for (char *at; (at = strstr(text, "-nan"));) memmove(at, at + 1, strlen(at));
    return text;
}

/* Numbers that several threads change say nothing of memory. */
static bool is_of_fresh_memory(Notes *n, const char *name) {
    const TestRun *usual = run_test(n->texts->one ? &n->one : &n->many, name),
                  *filled = run_test(&n->filled, name);
    if (!usual || !usual->said || !filled || strstr(usual->said, "never written") ||
        strstr(usual->said, "with one thread it is right"))
        return false;
    return filled->outcome == PASSED_TEST ||
           (filled->said && !same_text(without_sign_of_nan(&n->pool, filled->said),
                                       without_sign_of_nan(&n->pool, usual->said)));
}

/* --- sizes ------------------------------------------------------------------- */

/* Of a size of what is compared, the largest and the least that was right, and whether
 * an odd one was. */
typedef struct {
    const char *what, *name;
    size_t largest, least;
    bool odd;
} RightSize;

typedef struct {
    const char *name;
    size_t size;
} Size;

enum { MOST_SIZES = 8, MOST_RIGHT = 400 };

typedef struct {
    RightSize sizes[MOST_RIGHT];
    size_t n;
} RightSizes;

/* "rows=6,dim=4" */
static size_t sizes_of(Pool *pool, const Compared *c, Size sizes[MOST_SIZES]) {
    const char *parts[MOST_SIZES];
    size_t n = split(pool, c->sizes, ",", parts, MOST_SIZES);
    for (size_t k = 0; k < n; k++) {
        const char *value = strchr(parts[k], '=');
        if (!value) value = parts[k] + strlen(parts[k]);
        sizes[k].name = pool_cut(pool, parts[k], value);
        sizes[k].size = *value ? strtoul(value + 1, NULL, 10) : 0;
    }
    return n;
}

/* The first word of what is compared. */
static char *array_of(Pool *pool, const Compared *c) {
    return pool_cut(pool, c->what, c->what + strcspn(c->what, " ,"));
}

/* Where it is among those; their number if it is not there. */
static size_t find_size(const RightSizes *right, const char *what, const char *name) {
    size_t i = 0;
    while (i < right->n && !(same_text(right->sizes[i].what, what) &&
                             same_text(right->sizes[i].name, name)))
        i++;
    return i;
}

static void take_right(Notes *n, RightSizes *right, const Compared *c) {
    Size sizes[MOST_SIZES];
    const char *what = array_of(&n->pool, c);
    for (size_t k = sizes_of(&n->pool, c, sizes); k-- > 0;) {
        size_t i = find_size(right, what, sizes[k].name);
        if (i == MOST_RIGHT) continue;
        RightSize *known = &right->sizes[i];
        if (i == right->n) {
            right->n++;
            *known = (RightSize){
                .what = what, .name = sizes[k].name, .least = sizes[k].size};
        }
        if (sizes[k].size > known->largest) known->largest = sizes[k].size;
        if (sizes[k].size < known->least) known->least = sizes[k].size;
        known->odd |= sizes[k].size % 2;
    }
}

static RightSizes right_sizes(Notes *n) {
    RightSizes right = {.n = 0};
    for (size_t i = 0; i < n->many.n_tests; i++) {
        const TestRun *test = &n->many.tests[i];
        size_t passed = test->n_compared;
        if (test->outcome != PASSED_TEST && passed > 0) passed--;
        for (size_t c = 0; c < passed; c++) take_right(n, &right, &test->compared[c]);
    }
    return right;
}

/* Much larger than any that was right. */
static bool is_beyond(const RightSizes *right, const char *what, const Size *size) {
    size_t i = find_size(right, what, size->name);
    size_t largest = i < right->n ? right->sizes[i].largest : 0;
    return largest > 1 && size->size >= 64 && size->size > 4 * largest;
}

static bool is_wrong_by_numbers(const TestRun *test) {
    return test->outcome == FAILED_TEST && test->n_findings && test->n_compared;
}

/* Whether a size of that name is beyond in all tests that fail. */
static bool is_beyond_in_all(Notes *n, const RightSizes *right, const char *name) {
    for (size_t i = 0; i < n->many.n_tests; i++) {
        const TestRun *test = &n->many.tests[i];
        if (test->outcome != FAILED_TEST) continue;
        if (!is_wrong_by_numbers(test)) return false;
        const Compared *c = &test->compared[test->n_compared - 1];
        Size sizes[MOST_SIZES];
        bool beyond = false;
        for (size_t k = sizes_of(&n->pool, c, sizes); k-- > 0;)
            beyond |= same_text(sizes[k].name, name) &&
                      is_beyond(right, array_of(&n->pool, c), &sizes[k]);
        if (!beyond) return false;
    }
    return true;
}

/* "right with dim up to 40, wrong with 5003": a size that tells right and wrong apart
 * by far in all tests that fail. Where another size of the last is smaller than it ever
 * was in what is right, that may be the reason as well; or that it is odd for the first
 * time. */
static const char *note_of_sizes(Notes *n) {
    RightSizes right = right_sizes(n);
    const TestRun *last = NULL;
    for (size_t i = 0; i < n->many.n_tests; i++)
        if (n->many.tests[i].outcome == FAILED_TEST) last = &n->many.tests[i];
    if (!last || !is_wrong_by_numbers(last)) return NULL;
    const Compared *c = &last->compared[last->n_compared - 1];
    const char *what = array_of(&n->pool, c), *note = NULL, *smaller = "", *rest = "";
    Size sizes[MOST_SIZES];
    for (size_t k = sizes_of(&n->pool, c, sizes); k-- > 0;) {
        size_t i = find_size(&right, what, sizes[k].name);
        if (i == right.n || same_text(sizes[k].name, "numbers")) continue;
        const RightSize *known = &right.sizes[i];
        if (is_beyond_in_all(n, &right, sizes[k].name)) {
            note = pool_format(&n->pool, "right with %s up to %zu, wrong with %zu%s%s",
                               sizes[k].name, known->largest, sizes[k].size,
                               note ? "; " : "", note ? note : "");
            if (sizes[k].size % 2 && !known->odd)
                rest = ", or is the rest behind full blocks left out";
        }
        if (sizes[k].size < known->least)
            smaller =
                pool_format(&n->pool, "; right with %s %zu or more, wrong with %zu%s",
                            sizes[k].name, known->least, sizes[k].size, smaller);
    }
    if (!note) return NULL;
    if (*smaller) return pool_format(&n->pool, "%s%s", note, smaller);
    return pool_format(&n->pool,
                       "%s: does an array inside have a fixed size, or a sum too "
                       "few digits%s?",
                       note, rest);
}

/* --- the notes --------------------------------------------------------------- */

static bool ran_out_of_time(const TestRun *test) {
    return test->n_printed > 0 &&
           same_text(test->printed[test->n_printed - 1], "ran out of time");
}

static bool says_where(const TestRun *test) {
    return test->n_findings && found_in(test)->numbers &&
           begins_with(found_in(test)->numbers, "wrong only ");
}

static const char *note_of(Notes *n, const TestRun *test, const char *larger) {
    const char *race = race_of(n, test->name);
    /* Which tells of a busy machine, too. */
    if (ran_out_of_time(test)) return race;
    if (run_passed(&n->one, test->name))
        return pool_format(&n->pool, "with one thread it is right: %s",
                           race ? race
                                : "this is what you get when threads write to the same "
                                  "sum or place, or share out the terms of a sum "
                                  "(reduction)");
    if (run_passed(&n->zeros, test->name)) return note_of_zeros(n, test);
    if (is_of_fresh_memory(n, test->name))
        return "with other numbers in fresh memory the result is another: this is what "
               "you get when a number is never written, or a variable or an array is "
               "read before it is written, outside of its bounds, or after it was "
               "freed";
    return says_where(test) ? NULL : larger;
}

char *notes_of(const FurtherRuns *runs) {
    Notes n = {.texts = runs};
    Text text = {0};
    n.many = run_read(&n.pool, runs->many, NULL, NULL);
    if (runs->one) n.one = run_read(&n.pool, runs->one, NULL, NULL);
    if (runs->zeros) n.zeros = run_read(&n.pool, runs->zeros, NULL, NULL);
    if (runs->filled) n.filled = run_read(&n.pool, runs->filled, NULL, NULL);
    const char *larger = note_of_sizes(&n);
    for (size_t i = 0; i < n.many.n_tests; i++) {
        const TestRun *test = &n.many.tests[i];
        const char *note =
            test->outcome == FAILED_TEST ? note_of(&n, test, larger) : NULL;
        if (note) text_add(&text, "%s: %s\n", test->name, note);
    }
    pool_free(&n.pool);
    return text_take(&text);
}

char *other_bits(const char *output, const char *other, const char *threads) {
    Pool pool = {0};
    Text text = {0};
    TestsRun usual = run_read(&pool, output, NULL, NULL),
             again = run_read(&pool, other, NULL, NULL);
    for (size_t i = 0; i < again.n_tests; i++) {
        const TestRun *test = &again.tests[i], *first = run_test(&usual, test->name);
        for (size_t c = 0; first && c < test->n_compared && c < first->n_compared;
             c++) {
            if (same_text(test->compared[c].sum, first->compared[c].sum)) continue;
            text_add(
                &text,
                "%s: %s has other bytes %s: this is what you get when threads write "
                "to the same sum, or share its terms out by their number\n",
                test->name, test->compared[c].what, threads);
            break;
        }
    }
    pool_free(&pool);
    return text_take(&text);
}
