/* See ending.h. */
#include "verdict/ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where in the learner's file the program was, from the addresses of its stack:
 * " in FUNCTION, FILE:LINE", or "". */
static const char *place_of(Pool *pool, const char *stack, const VerdictInput *input) {
    if (!input->lines_of || !stack || !*stack) return "";
    char *lines = input->lines_of(input->context, stack);
    const char *at = lines, *found = "";
    for (char *function, *place;
         (function = next_line(pool, &at)) && (place = next_line(pool, &at));) {
        if (!is_in_file(place, input->file, input->root)) continue;
        char *rest = strstr(place, " (discriminator"),
             *loop = strstr(function, "._omp_fn.");
        if (rest) *rest = '\0';
        if (loop) *loop = '\0';
        found = pool_format(pool, " in %s, %s", function, below(input->root, place));
        break;
    }
    free(lines);
    return found;
}

/* "crashed with SIGSEGV: this is ..." with the place behind the signal's name. */
static Finding crash(Pool *pool, const char *text, const TestRun *test,
                     const VerdictInput *input) {
    const char *signal = text + strlen("crashed with ");
    size_t n = strspn(signal, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return finding_in_words(
        pool, pool_format(pool, "%.*s%s%s", (int)(signal - text + n), text,
                          place_of(pool, test->stack, input), signal + n));
}

static const char *unwritten(Pool *pool, const char *line) {
    const char *end = strstr(line, ": exercise ");
    if (!end) end = line + strlen(line);
    return pool_format(pool, "not written yet, %.*s", (int)(end - line), line);
}

static const char *sanitizer_words(Pool *pool, const TestRun *test) {
    bool foreign = !test->in_the_file &&
                   strstr(test->sanitizer, "attempting free on address which "
                                           "was not malloc");
    return pool_format(
        pool, "%s%s", test->sanitizer,
        foreign ? ": was a pointer that you were given set to other memory?" : "");
}

Ending how_it_ended(Pool *pool, const TestRun *test, const VerdictInput *input) {
    static const char endless[] = ": an endless loop, or far too much work?";
    size_t n = test->n_printed;
    const char *last = n ? test->printed[n - 1] : "", *words = "ended the program";
    Ending ending = {.n_printed = n ? n - 1 : 0};
    if (test->sanitizer) {
        ending.n_printed = 0;
        words = sanitizer_words(pool, test);
    } else if (same_text(last, "ran out of time")) {
        words = pool_format(pool, "%s%s%s", last, place_of(pool, test->stack, input),
                            endless);
    } else if (strstr(test->ended, ": Timed out")) {
        ending.n_printed = n;
        words = pool_format(pool, "ran out of time%s", endless);
    } else if (begins_with(last, "crashed with ")) {
        ending.finding = crash(pool, last, test, input);
        return ending;
    } else if (begins_with(last, "ended the program with ")) {
        words = last;
    } else if (strstr(last, " is not written yet")) {
        ending.unwritten = true;
        words = unwritten(pool, last);
    } else if (strstr(test->ended, ": CRASH!")) {
        ending.n_printed = n;
        words = "crashed";
    } else if (n) {
        words = pool_format(pool, "ended the program, saying: %.160s", last);
    }
    ending.finding = finding_in_words(pool, words);
    return ending;
}

const char *crash_place(Pool *pool, const Finding *finding) {
    if (!finding->words || !begins_with(finding->words, "crashed with ")) return NULL;
    const char *place = strstr(finding->words, " in "),
               *comma = place ? strstr(place, ", ") : NULL;
    if (!comma) return NULL;
    size_t n = strcspn(comma + 2, " ,;");
    return pool_cut(pool, place, comma + 2 + n);
}
