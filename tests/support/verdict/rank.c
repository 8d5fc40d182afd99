/* See rank.h. */
#include "verdict/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/ending.h"

#define FACT "this is what you get when "

/* "NN-name/layernorm.c" -> whether the test compares with numbers of other programs. */
static bool is_of_others(const char *test) {
    return strstr(test, "pytorch") || strstr(test, "golden") ||
           strstr(test, "hugging_face") || strstr(test, "huggingface");
}

static bool has_note_of_fact(const Failure *f) {
    return f->note && strstr(f->note, FACT);
}

/* Whether the numbers are right but for the contents of fresh memory. */
static bool is_of_filled_memory(const Failure *f) {
    return f->also && strstr(f->also, "fresh memory is filled");
}

static bool names_it(const Failure *f) {
    return f->finding.fact || has_note_of_fact(f);
}

static int kind_of(const Ranked *ranked, const Failure *f) {
    int later = ranked->stages.n == 0 && is_of_others(f->test->name) ? OF_OTHERS : 0;
    if (f->unwritten) return UNWRITTEN;
    if (names_it(f)) return NAMED + (later ? 1 : 0);
    const Finding *finding = &f->finding;
    bool described = finding->numbers || finding->n_suspects ||
                     (f->note && begins_with(f->note, "where all outputs "));
    if (finding_is_plain_number(finding) || (finding->what && !described))
        return NUMBERS + (later ? 1 : 0);
    return TOLD + later;
}

/* --- what was found -------------------------------------------------------- */

/* A comparison, and what the message says behind it: a diagnosis there is the test's
 * own, and stands in the place of what the numbers let suspect. */
static Finding with_more(Pool *pool, const Finding *found, const char *text) {
    Finding finding = *found, more = finding_in_words(pool, text);
    finding.after = more.words;
    if (more.fact) {
        finding.fact = more.fact;
        finding.is_sentence = more.is_sentence;
        finding.n_suspects = 0;
    } else if (more.n_suspects && !finding.fact) {
        memcpy(finding.suspects, more.suspects, sizeof more.suspects);
        finding.n_suspects = more.n_suspects;
    }
    return finding;
}

/* The finding in a test's message: its comparison, if the message begins with one, else
 * its own words. */
static Finding what_was_found(Pool *pool, const TestRun *t) {
    for (size_t i = t->n_findings; i-- > 0;) {
        Text text = {0};
        finding_sentence(&text, &t->findings[i]);
        char *sentence = text_take(&text);
        size_t n = strlen(sentence);
        bool same = begins_with(t->message, sentence);
        free(sentence);
        if (!same) continue;
        if (!t->message[n]) return t->findings[i];
        return with_more(pool, &t->findings[i], t->message + n);
    }
    return finding_in_words(pool, t->message);
}

static const char *note_of(Pool *pool, const char *notes, const char *test) {
    for (char *line; notes && (line = next_line(pool, &notes));) {
        size_t n = strlen(test);
        if (strncmp(line, test, n) == 0 && begins_with(line + n, ": "))
            return line + n + 2;
    }
    return NULL;
}

/* Adds the note of further runs after the message. A note that names a mistake replaces
 * the suspicions from the numbers alone. */
static void add_note(Failure *f, Pool *pool, const VerdictInput *input) {
    if (f->test->sanitizer) return;
    f->note = note_of(pool, input->notes, f->test->name);
    f->also = f->note || !f->finding.fact ? input->also : NULL;
    if (!has_note_of_fact(f) && !is_of_filled_memory(f)) return;
    f->finding.numbers = f->finding.located = NULL;
    f->finding.n_suspects = 0;
    if (!f->finding.is_sentence) f->finding.fact = NULL;
}

static void take_failure(Ranked *ranked, const TestRun *test,
                         const VerdictInput *input) {
    Pool *pool = &ranked->pool;
    ranked->failures =
        pool_grown(pool, ranked->failures, ranked->n, sizeof *ranked->failures);
    Failure *f = &ranked->failures[ranked->n++];
    *f = (Failure){.test = test,
                   .order = order_of(ranked, test->name),
                   .stage = stage_of(&ranked->stages, test->name)};
    Ending ending = {.n_printed = test->n_printed};
    if (test->message)
        ending.finding = what_was_found(pool, test);
    else
        ending = how_it_ended(pool, test, input);
    f->finding = ending.finding;
    f->n_printed = ending.n_printed;
    f->unwritten = ending.unwritten;
    add_note(f, pool, input);
}

/* --- what others say against it -------------------------------------------- */

static bool is_listed(const char **list, size_t n, const char *text) {
    for (size_t i = 0; i < n; i++)
        if (same_text(list[i], text)) return true;
    return false;
}

static bool is_ruled_out(const Ranked *ranked, const char *when) {
    return is_listed(ranked->run.ruled_out, ranked->run.n_ruled_out, when);
}

/* The numbers of another test, which lists it too, are not those it would give; of a
 * test that passes, only if the same is compared ("dx"). */
static bool is_doubtful(Ranked *ranked, const Finding *finding, const char *when) {
    const char *what = finding->what ? finding->what : finding->words;
    char *made =
        pool_format(&ranked->pool, "%.*s %s", (int)strcspn(what, " ,"), what, when);
    return is_ruled_out(ranked, when) ||
           is_listed(ranked->run.not_made, ranked->run.n_not_made, made);
}

static bool others_say_else(Ranked *ranked, const char *when) {
    for (size_t i = 0; i < ranked->n; i++)
        if (!strstr(failure_sentence(ranked, &ranked->failures[i]), when)) return true;
    return false;
}

/* Of several that it suspects, those that nothing speaks against; if there are none,
 * those that may be found in a special case. */
static void keep_likelier(Ranked *ranked, Finding *finding) {
    const char *kept[MOST_SUSPECTS], *special[MOST_SUSPECTS];
    size_t n = 0, n_special = 0;
    for (size_t i = 0; i < finding->n_suspects; i++) {
        const char *when = finding->suspects[i];
        if (!is_doubtful(ranked, finding, when)) kept[n++] = when;
        if (!is_ruled_out(ranked, when)) special[n_special++] = when;
    }
    if (n == 0 && n_special == 0 && !finding_says_little(finding)) return;
    memcpy(finding->suspects, n ? kept : special, sizeof kept);
    finding->n_suspects = n ? n : n_special;
}

/* The meaning of a crash is doubtful if an earlier test, for which a crash has no
 * listed meaning, crashes at the same place. */
static bool crashes_plainly_before(Ranked *ranked, const Failure *f) {
    const char *place = crash_place(&ranked->pool, &f->finding);
    for (size_t i = 0; place && i < ranked->n; i++) {
        const Failure *other = &ranked->failures[i];
        if (!other->finding.fact && other->order < f->order &&
            same_text(crash_place(&ranked->pool, &other->finding), place))
            return true;
    }
    return false;
}

static void weigh(Ranked *ranked, Failure *f) {
    Finding *finding = &f->finding;
    if (finding->n_suspects > 0 && !finding->fact) {
        keep_likelier(ranked, finding);
        return;
    }
    if (!finding->fact || finding->is_sentence) return;
    if (!is_doubtful(ranked, finding, finding->fact) &&
        !(finding_is_plain_number(finding) && others_say_else(ranked, finding->fact)))
        return;
    if (is_ruled_out(ranked, finding->fact) && finding_says_little(finding))
        finding->fact = NULL;
    else
        finding_doubt(finding);
}

static int as_told(const void *a, const void *b) {
    const Failure *f = a, *g = b;
    if (f->unwritten != g->unwritten) return f->unwritten - g->unwritten;
    if (f->stage != g->stage) return f->stage < g->stage ? -1 : 1;
    if (f->kind != g->kind) return f->kind - g->kind;
    if (f->order != g->order) return f->order < g->order ? -1 : 1;
    return f->test < g->test ? -1 : 1;
}

/* --- all of them ----------------------------------------------------------- */

static void take_names(Ranked *ranked, const char *names) {
    for (char *name; (name = next_word(&ranked->pool, &names)); ranked->n_names++) {
        ranked->names = pool_grown(&ranked->pool, ranked->names, ranked->n_names,
                                   sizeof *ranked->names);
        ranked->names[ranked->n_names] = name;
    }
}

size_t order_of(const Ranked *ranked, const char *test) {
    for (size_t i = 0; i < ranked->n_names; i++)
        if (same_text(ranked->names[i], test)) return i;
    return ranked->n_names;
}

void rank_failures(Ranked *ranked, const VerdictInput *input) {
    *ranked = (Ranked){0};
    ranked->run = run_read(&ranked->pool, input->output, input->file, input->root);
    stages_read(&ranked->stages, &ranked->pool, input->stages);
    take_names(ranked, input->names);
    for (size_t i = 0; i < ranked->run.n_tests; i++)
        if (ranked->run.tests[i].outcome == FAILED_TEST)
            take_failure(ranked, &ranked->run.tests[i], input);
    bool *plainly = pool_alloc(&ranked->pool, ranked->n);
    for (size_t i = 0; i < ranked->n; i++)
        plainly[i] = crashes_plainly_before(ranked, &ranked->failures[i]);
    for (size_t i = 0; i < ranked->n; i++) {
        Failure *f = &ranked->failures[i];
        bool named = names_it(f);
        if (plainly[i] && f->finding.fact)
            finding_doubt(&f->finding);
        else
            weigh(ranked, f);
        f->kind = kind_of(ranked, f) + (named && !names_it(f));
    }
    if (ranked->n)
        qsort(ranked->failures, ranked->n, sizeof *ranked->failures, as_told);
}

void ranked_free(Ranked *ranked) {
    pool_free(&ranked->pool);
}

const char *failure_sentence(Ranked *ranked, const Failure *f) {
    Text text = {0};
    finding_sentence(&text, &f->finding);
    if (f->also) text_add(&text, "%s", f->also);
    if (f->note) text_add(&text, "; %s", f->note);
    char *sentence = text_take(&text);
    const char *kept = pool_cut(&ranked->pool, sentence, sentence + strlen(sentence));
    free(sentence);
    return kept;
}
