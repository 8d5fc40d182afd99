/* See verdict.h. */
#include "verdict/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/rank.h"

enum { INDENT = 8, LINE_BYTES = 160, SHOWN = 4 };

static char *readable(Text *text) {
    char *written = text_take(text);
    make_readable(written);
    return written;
}

/* The last lines of what a test has printed. */
static void add_printed(Text *to, const TestRun *test, size_t n, size_t most,
                        const VerdictInput *input) {
    size_t shown = input->full || n < most ? n : most;
    for (size_t i = n - shown; i < n; i++) {
        text_add(to, "%*sprinted: ", INDENT, "");
        text_add(to, input->full ? "%s" : "%.160s", test->printed[i]);
        if (i + 1 == n && shown < n)
            text_add(to, " (%zu more line%s)", n - shown, n - shown > 1 ? "s" : "");
        text_add(to, "\n");
    }
}

/* NULL, or a test that passes and has printed something that is its own. */
static const TestRun *passing_with_words(const Ranked *ranked, const char *name) {
    const TestRun *test = run_test(&ranked->run, name);
    if (!test || test->outcome != PASSED_TEST || test->sanitizer || !test->n_printed ||
        begins_with(test->printed[test->n_printed - 1], "program: "))
        return NULL;
    return test;
}

/* Adds the output of tests that pass: of the first `most`. */
static void add_passing(Text *to, const Ranked *ranked, size_t most,
                        const VerdictInput *input) {
    size_t n = 0;
    for (size_t i = 0; i < ranked->n_names; i++) {
        const TestRun *test = passing_with_words(ranked, ranked->names[i]);
        if (!test || n++ >= most) continue;
        text_add(to, "%s: passes\n", test->name);
        add_printed(to, test, test->n_printed, 1, input);
    }
    if (n > most)
        text_add(to, "%zu more test%s that pass%s printed something\n", n - most,
                 n - most > 1 ? "s" : "", n - most > 1 ? "" : "es");
}

/* --- all of them ----------------------------------------------------------- */

static void add_same(Text *to, Ranked *ranked, size_t first, bool told[]) {
    const char *words = failure_sentence(ranked, &ranked->failures[first]);
    size_t n = 0;
    for (size_t i = first + 1; i < ranked->n; i++) {
        if (told[i] ||
            !same_text(failure_sentence(ranked, &ranked->failures[i]), words))
            continue;
        told[i] = true;
        text_add(to, n++ ? ", %s" : "        the same: %s",
                 ranked->failures[i].test->name);
    }
    if (n) text_add(to, "\n");
}

char *verdict_list(const VerdictInput *input) {
    Ranked ranked;
    Text text = {0};
    rank_failures(&ranked, input);
    bool *told = pool_alloc(&ranked.pool, ranked.n);
    for (size_t i = 0; i < ranked.n; i++) {
        const Failure *f = &ranked.failures[i];
        if (told[i]) continue;
        text_add(&text, "%s: %s\n", f->test->name, failure_sentence(&ranked, f));
        if (input->full) add_same(&text, &ranked, i, told);
        add_printed(&text, f->test, f->n_printed, SHOWN, input);
    }
    if (input->full) add_passing(&text, &ranked, ranked.n_names, input);
    ranked_free(&ranked);
    return readable(&text);
}

/* --- the first ------------------------------------------------------------- */

enum { MOST_LINES = 11, LEAST_WORDS = 3, MOST_WARNINGS = 2, MOST_PASSING = 3 };

/* Digits apart, why a test fails: two tests of one mistake have other numbers. */
static const char *reason_of(Pool *pool, const Failure *f) {
    const Finding *finding = &f->finding;
    const char *reason = f->note ? strstr(f->note, "this is what you get when ") : NULL;
    if (finding->fact) reason = finding->fact;
    if (!reason && f->also && strstr(f->also, "fresh memory")) reason = f->also;
    if (!reason) reason = finding->numbers;
    if (!reason && finding->n_suspects) reason = finding->suspects[0];
    if (!reason) reason = finding->what ? NULL : finding->words;
    if (!reason) return NULL;
    char *plain = pool_cut(pool, reason, reason + strlen(reason)), *to = plain;
    for (const char *from = plain; *from; from++)
        if (!strchr("0123456789.-", *from)) *to++ = *from;
    *to = '\0';
    return plain;
}

/* --- stages */

typedef enum { NOT_RUN, RIGHT, WRONG, NOT_WRITTEN } StageState;

static StageState state_of(const Ranked *ranked, size_t stage) {
    StageState state = NOT_RUN;
    for (size_t i = 0; i < ranked->run.n_tests; i++) {
        const TestRun *test = &ranked->run.tests[i];
        if (test->outcome == NOT_ENDED ||
            stage_of(&ranked->stages, test->name) != stage)
            continue;
        if (state == NOT_RUN) state = RIGHT;
    }
    for (size_t i = 0; i < ranked->n; i++) {
        if (ranked->failures[i].stage != stage) continue;
        if (!ranked->failures[i].unwritten) return WRONG;
        state = NOT_WRITTEN;
    }
    return state;
}

static void add_stages(Text *to, const Ranked *ranked, const Failure *first) {
    static const char *words[] = {"", "right", "wrong", "not written yet"};
    const Stages *stages = &ranked->stages;
    const char *between = "";
    for (size_t s = 0, end; s < stages->n; s = end) {
        StageState state = state_of(ranked, s);
        bool here = first->stage == s;
        for (end = s + 1; !here && end < stages->n && state_of(ranked, end) == state &&
                          first->stage != end;)
            end++;
        if (state == NOT_RUN) continue;
        text_add(to, end > s + 1 ? "%sstages %s-%s" : "%sstage %s", between,
                 stages->stages[s].number, stages->stages[end - 1].number);
        if (here) text_add(to, ", %s", stages->stages[s].title);
        text_add(to, ": %s", words[state]);
        between = "; ";
    }
}

/* --- the compiler's warnings */

static bool warns_of_memory(const VerdictInput *input) {
    return input->warnings && strstr(input->warnings, "uninitialized");
}

/* Adds the warnings from which wrong results may follow, or the others. */
static void add_warnings(Text *to, Pool *pool, const VerdictInput *input, bool causes) {
    const char *at = input->warnings;
    size_t n = 0;
    for (char *line; (line = next_line(pool, &at));) {
        bool cause = strstr(line, "unused") == NULL;
        if (cause != causes || n++ >= MOST_WARNINGS) continue;
        add_wrapped(to, line, 4, input->columns, 2);
    }
    if (n > MOST_WARNINGS)
        text_add(to, "    (%zu more warning%s)\n", n - MOST_WARNINGS,
                 n - MOST_WARNINGS > 1 ? "s" : "");
}

/* --- what else fails */

static void add_count(Text *to, const char *between, size_t n, const char *one,
                      const char *many) {
    if (n) text_add(to, "%s%zu more %s", to->n ? between : "", n, n > 1 ? many : one);
}

static void add_others(Text *to, Ranked *ranked, const Failure *first,
                       const VerdictInput *input) {
    size_t same = 0, others = 0, unwritten = 0;
    const char *reason = reason_of(&ranked->pool, first);
    for (size_t i = 0; i < ranked->n; i++) {
        const Failure *f = &ranked->failures[i];
        if (f == first) continue;
        if (same_text(reason_of(&ranked->pool, f), reason) ||
            (f->unwritten && first->unwritten))
            same++;
        else if (f->unwritten)
            unwritten++;
        else
            others++;
    }
    Text line = {0};
    add_count(&line, "", same, "test for the same reason", "tests for the same reason");
    add_count(&line, ", and ", others, "test fails", "tests fail");
    if (ranked->stages.n == 0)
        add_count(&line, ", and ", unwritten, "test of what is not written yet",
                  "tests of what is not written yet");
    char *counts = text_take(&line);
    const char *said = pool_format(&ranked->pool, "and %s%s", counts,
                                   others && !input->full ? " (FULL=1 shows all)" : "");
    if (*counts) add_wrapped(to, said, 4, input->columns, 2);
    free(counts);
}

/* Where the compiler has named the variable, what fresh memory changes is no news, nor
 * what else the numbers may be. */
static const char *words_of(Ranked *ranked, const Failure *first, bool warned) {
    Failure f = *first;
    bool by_note = f.note && strstr(f.note, "fresh memory"),
         by_also = f.also && strstr(f.also, "fresh memory");
    if (warned && (by_note || by_also)) {
        f.note = "with other numbers in fresh memory the result is another: see the "
                 "warning below";
        f.also = NULL;
        f.finding.numbers = f.finding.located = NULL;
        f.finding.n_suspects = 0;
    }
    return pool_format(&ranked->pool, "%s: %s", f.test->name,
                       failure_sentence(ranked, &f));
}

static size_t lines_of(const Text *text) {
    size_t n = 0;
    for (size_t i = 0; i < text->n; i++) n += text->bytes[i] == '\n';
    return n;
}

static void add_first(Text *to, Ranked *ranked, const VerdictInput *input) {
    const Failure *first = ranked->n ? &ranked->failures[0] : NULL;
    Text stages = {0}, behind = {0};
    if (first) add_stages(&stages, ranked, first);
    char *line = text_take(&stages);
    add_wrapped(to, line, 4, input->columns, 3);
    free(line);
    if (first) {
        add_printed(&behind, first->test, first->n_printed, 2, input);
        add_others(&behind, ranked, first, input);
        const char *command = first->unwritten ? input->hint : input->step;
        if (command && first->unwritten)
            text_add(&behind, "    for a hint: %s\n", command);
        else if (command)
            text_add(&behind, "    step through it: %s%s\n", command,
                     first->test->name);
    }
    size_t used = lines_of(to) + lines_of(&behind);
    size_t rest = used + LEAST_WORDS < MOST_LINES ? MOST_LINES - used : LEAST_WORDS;
    if (first)
        add_wrapped(to, words_of(ranked, first, warns_of_memory(input)), 4,
                    input->columns, rest);
    char *more = text_take(&behind);
    text_add(to, "%s", more);
    free(more);
    add_warnings(to, &ranked->pool, input, true);
    add_warnings(to, &ranked->pool, input, false);
}

char *verdict_first(const VerdictInput *input) {
    Ranked ranked;
    Text text = {0};
    rank_failures(&ranked, input);
    add_first(&text, &ranked, input);
    if (ranked.n == 0 && !input->full) {
        Text passing = {0};
        add_passing(&passing, &ranked, MOST_PASSING, input);
        char *said = text_take(&passing);
        for (const char *at = said, *line; (line = next_line(&ranked.pool, &at));)
            text_add(&text, "    %s\n", line);
        free(said);
    }
    ranked_free(&ranked);
    return readable(&text);
}
