/* Tests of tests/support/verdict: which failure is told first, and in which words. The
 * runs are written here as tests and Criterion write them. */
#include "verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "verdict/finding.h"
#include "written_run.h"

static void passes(const char *test) {
    text_add(&run, "[RUN ] x::%s\n[PASS] x::%s: (0.00s)\n", test, test);
}

/* A comparison of `what`, 2 of 5 wrong, as check.c tells it: the diagnosis is one key.
 */
#define NUMBERS                                                                        \
    " is wrong in 2 of 5 places; worst at [1]: got 0, expected 1, allowed +-1e-06"
/* p, of five numbers, or q, of one. */
static Finding finding_of(const char *what, size_t wrong, size_t of, const char *got) {
    return (Finding){.what = what,
                     .wrong = wrong,
                     .of = of,
                     .at = of > 1 ? "1" : "0",
                     .got = got,
                     .expected = of > 1 ? "1" : "2",
                     .allowed = "1e-06"};
}

static void fails_with(const char *test, const char *said, const Finding *f,
                       const char *more) {
    Text line = {0}, sentence = {0};
    text_add(&line, "%s", said);
    finding_write(&line, f);
    finding_sentence(&sentence, f);
    text_add(&sentence, "%s", more);
    fails(test, line.bytes, sentence.bytes);
    free(line.bytes);
    free(sentence.bytes);
}

static void compares(const char *test, const char *what, const char *key,
                     const char *diagnosis, const char *said) {
    Pool pool = {0};
    Finding f = finding_of(what, 2, 5, "0");
    if (*key == 'f') f.fact = diagnosis;
    if (*key == 'n') f.numbers = diagnosis;
    if (*key == 'p') f.n_suspects = split(&pool, diagnosis, "|", f.suspects, 3);
    fails_with(test, said, &f, "");
    pool_free(&pool);
}

/* The verdict's text on the run; the next run begins. */
static char *told(VerdictInput input, bool first) {
    char *output = text_take(&run);
    input.output = output;
    if (!input.columns) input.columns = 80;
    char *text = first ? verdict_first(&input) : verdict_list(&input);
    free(output);
    return text;
}

static void expect(const char *what, char *got, const char *expected) {
    CHECK(strcmp(got, expected) == 0, "%s:\n%s\nexpected:\n%s", what, got, expected);
    free(got);
}

static char *list_of(const char *names) {
    return told((VerdictInput){.names = names}, false);
}

/* --- findings ---------------------------------------------------------------- */

Test(verdict, a_finding_comes_back_from_its_line) {
    Pool pool = {0};
    Finding f = {.what = "out of 3 rows",
                 .wrong = 2,
                 .of = 20,
                 .at = "row 1, column 2",
                 .got = "nan",
                 .expected = "-1.5e-07",
                 .allowed = "1e-05",
                 .numbers = "all are = 0",
                 .suspects = {"a, or so", "b"},
                 .n_suspects = 2};
    Text line = {0}, sentence = {0}, again = {0};
    finding_write(&line, &f);
    CHECK(begins_with(line.bytes, "wrong: wrong=2\tof=20\t"), "%s", line.bytes);
    Finding read =
        finding_read(&pool, pool_cut(&pool, line.bytes + 7, line.bytes + line.n - 1));
    finding_sentence(&sentence, &f);
    finding_sentence(&again, &read);
    CHECK(strcmp(sentence.bytes, again.bytes) == 0, "%s\n%s", sentence.bytes,
          again.bytes);
    CHECK(ends_with(sentence.bytes,
                    "; the numbers say: all are = 0; perhaps a, or so, or b"),
          "%s", sentence.bytes);
}

Test(verdict, numbers_that_differ_look_different) {
    Pool pool = {0};
    const char *a = number_beside(&pool, -2174.852, -2174.8520001),
               *b = number_beside(&pool, -2174.8520001, -2174.852);
    CHECK(strcmp(a, b) != 0, "%s and %s", a, b);
    CHECK(same_text(number_beside(&pool, 0.5, 1), "0.5"), "0.5 has other digits");
}

/* --- the order --------------------------------------------------------------- */

/* A mistake that is suspected stands before wrong numbers without one, and before other
 * tests' own words by the order of the file; of two that are suspected, the one that
 * other numbers rule out is not told. */
Test(verdict, what_is_suspected_and_likely) {
    text_add(&run,
             "[RUN ] x::none\nright: p the last is left out\nright: p only the first "
             "is left\n[PASS] x::none: (0.00s)\n");
    compares("plain", "p", "", "", "");
    fails("own", "", "1 is left");
    compares("p", "p", "perhaps", "the last is left out|only the first is left",
             "not: only the first is left\n");
    expect("what is told first", list_of("plain p own"),
           "p: p" NUMBERS
           "; perhaps the last is left out\nown: 1 is left\nplain: p" NUMBERS "\n");
}

/* A mistake that is named, and ruled out, is suspected, and comes after the
 * descriptions of numbers. */
Test(verdict, what_is_named_and_ruled_out) {
    text_add(&run,
             "[RUN ] x::none\nnot: the last is left out\n[PASS] x::none: (0.00s)\n");
    compares("small", "p", "fact", "the last is left out", "");
    compares("large", "p", "numbers", "all are 0", "");
    expect("what is ruled out", list_of("small large"),
           "large: p" NUMBERS "; the numbers say: all are 0\nsmall: p" NUMBERS
           "; perhaps the last is left out\n");
}

/* A single number of a mistake that is ruled out: of many digits it is still suspected,
 * a 0 says nothing. Where another test describes its numbers otherwise, a 1 is only
 * perhaps. */
static void one_number(const char *test, const char *got, const char *fact) {
    Finding f = finding_of("q", 1, 1, got);
    f.fact = fact;
    fails_with(test, "", &f, "");
}

Test(verdict, what_one_number_says) {
    text_add(&run, "[RUN ] x::none\nnot: it is halved\n[PASS] x::none: (0.00s)\n");
    one_number("of_0", "0", "it is halved");
    one_number("of_more", "0.0625", "it is halved");
    expect(
        "what one number says", list_of("of_0 of_more"),
        "of_more: q is wrong in 1 of 1 places; worst at [0]: got 0.0625, expected 2, "
        "allowed +-1e-06; perhaps it is halved\nof_0: q is wrong in 1 of 1 places; "
        "worst at [0]: got 0, expected 2, allowed +-1e-06\n");
    one_number("of_1", "1", "it is halved");
    compares("more", "p", "numbers", "every number is x", "");
    expect(
        "what one number says beside others", list_of("of_1 more"),
        "more: p" NUMBERS "; the numbers say: every number is x\nof_1: q is wrong in 1 "
        "of 1 places; worst at [0]: got 1, expected 2, allowed +-1e-06; perhaps it is "
        "halved\n");
}

/* A message that says more than its comparison keeps both. */
Test(verdict, words_behind_the_numbers) {
    Finding f = finding_of("p", 2, 5, "0");
    fails("late", "", "of its own");
    fails_with("far", "", &f, "; near it is right; this is what you get when x");
    fails_with("more", "", &f, "; only the last; perhaps a, or b");
    expect("words behind numbers", list_of("late far more"),
           "far: p" NUMBERS
           "; near it is right; this is what you get when x\nlate: of its "
           "own\nmore: p" NUMBERS "; only the last; perhaps a, or b\n");
}

/* --- how tests end ------------------------------------------------------------ */

static char *lines_of_main(void *context, const char *addresses) {
    (void)context;
    (void)addresses;
    return strdup("puts\n/usr/puts.c:3\nsoftmax._omp_fn.0\n/root/learner/NN-x/y.c:12 "
                  "(discriminator 2)\n");
}

Test(verdict, endings) {
    VerdictInput input = {.names = "crash own wild todo text",
                          .file = "NN-x/y.c",
                          .root = "/root",
                          .lines_of = lines_of_main};
    ends("crash",
         "crashed with SIGSEGV: this is what you get when dx is NULL\nstack: 0x1");
    ends("wild", "crashed with SIGFPE, mostly an integer divided by zero\nstack: 0x1");
    ends("todo", "mine/y.c:4: exercise 00/y is not written yet; for a hint: ...");
    text_add(&run,
             "[RUN ] x::text\nmine\n\033[2Jlast\302\233\n[FAIL] x::text: (0.00s)\n");
    ends("own", "wait\nran out of time\nstack: 0x2");
    expect(
        "how tests end", told(input, false),
        "crash: crashed with SIGSEGV in softmax, learner/NN-x/y.c:12: this is what you "
        "get when dx is NULL\n"
        "own: ran out of time in softmax, learner/NN-x/y.c:12: an endless loop, or far "
        "too much work?\n        printed: wait\n"
        "wild: crashed with SIGFPE in softmax, learner/NN-x/y.c:12, mostly an integer "
        "divided by zero\n"
        "text: ended the program, saying: ?[2Jlast?\n        printed: mine\n"
        "todo: not written yet, mine/y.c:4\n");
}

/* The meaning of a crash is doubtful where a plainer test crashes at the same place. */
Test(verdict, a_crash_that_means_nothing_before) {
    VerdictInput input = {.names = "plain null",
                          .file = "NN-x/y.c",
                          .root = "/root",
                          .lines_of = lines_of_main};
    ends("plain", "crashed with SIGSEGV, mostly an index\nstack: 0x1");
    ends("null",
         "crashed with SIGSEGV: this is what you get when dx is NULL\nstack: 0x1");
    expect(
        "two crashes", told(input, false),
        "plain: crashed with SIGSEGV in softmax, learner/NN-x/y.c:12, mostly an index\n"
        "null: crashed with SIGSEGV in softmax, learner/NN-x/y.c:12; perhaps dx is "
        "NULL\n");
}

Test(verdict, a_sanitizer_names_the_line) {
    text_add(
        &run,
        "[RUN ] x::a\n==12==ERROR: AddressSanitizer: heap-buffer-overflow on address "
        "0x60 at pc 0x1\n    #0 0x1 in memcpy /usr/lib.c:1:2\n    #1 0x2 in f "
        "/root/tests/NN-x/y.c:3:4\n    #2 0x2 in f /root/learner/NN-x/y.c:7:8\n[FAIL] "
        "x::a: CRASH!\n");
    VerdictInput input = {
        .names = "a", .file = "NN-x/y.c", .root = "/root", .also = ", so"};
    expect(
        "a sanitizer's report", told(input, false),
        "a: ERROR: AddressSanitizer: heap-buffer-overflow in f learner/NN-x/y.c:7:8\n");
}

/* --- the first ----------------------------------------------------------------- */

Test(verdict, the_first_and_how_many_more) {
    compares("late", "p", "", "", "");
    compares("a", "p", "fact", "the mean is not subtracted (that is RMSNorm)", "");
    compares("b", "q", "fact", "the mean is not subtracted (that is RMSNorm)", "");
    ends("todo", "y.c:4: exercise 00/y is not written yet; for a hint");
    expect(
        "the first",
        told((VerdictInput){.names = "a b late todo", .step = "make debug TEST="},
             true),
        "    a: p is wrong in 2 of 5 places; worst at [1]: got 0, expected 1, "
        "allowed\n    +-1e-06; this is what you get when the mean is not subtracted "
        "(that is\n    RMSNorm)\n    and 1 more test for the same reason, and 1 more "
        "test fails, and 1 more test\n    of what is not written yet (FULL=1 shows "
        "all)\n    step through it: make debug TEST=a\n");
}

static const char stages[] =
    "1 | the scores | a b\n2 | the mask | c d\n3 | the rest | e\n"
    "4 | the end | f\n";

/* Of the earliest stage that is written and wrong, though a later one names a mistake.
 */
Test(verdict, the_earliest_stage_that_is_wrong) {
    passes("a");
    passes("b");
    passes("c");
    compares("e", "p", "fact", "it is halved", "");
    compares("d", "p", "", "", "");
    ends("f", "y.c:4: exercise 00/y is not written yet; for a hint");
    expect(
        "stages",
        told((VerdictInput){.names = "a b c d e f", .stages = stages, .step = "go "},
             true),
        "    stage 1: right; stage 2, the mask: wrong; stage 3: wrong; stage 4: not\n"
        "    written yet\n    d: p is wrong in 2 of 5 places; worst at [1]: got 0, "
        "expected 1, allowed\n    +-1e-06\n    and 1 more test fails (FULL=1 shows "
        "all)\n    step through it: go d\n");
}

Test(verdict, stages_that_nobody_has_written) {
    const char *todo = "y.c:4: exercise 00/y is not written yet; for a hint";
    passes("a");
    passes("b");
    ends("e", todo);
    ends("c", todo);
    ends("d", todo);
    ends("f", todo);
    expect(
        "stages to write",
        told((VerdictInput){.names = "a b c d e f",
                            .stages = stages,
                            .hint = "make hint"},
             true),
        "    stage 1: right; stage 2, the mask: not written yet; stages 3-4: not "
        "written\n    yet\n    c: not written yet, y.c:4\n    and 3 more tests for the "
        "same reason\n    for a hint: make hint\n");
}

/* The compiler has named the variable: what follows from it is not said again. */
Test(verdict, a_warning_comes_last) {
    compares("a", "p", "", "", "");
    compares("b", "p", "", "", "");
    char *got =
        told((VerdictInput){.names = "a b",
                            .warnings = "y.c:1:2: warning: 'v' may be used "
                                        "uninitialized [-Wmaybe-uninitialized]\n"
                                        "y.c:9:1: warning: unused variable 'w'\n",
                            .notes = "a: with other numbers in fresh memory the "
                                     "result is another: this is what you get when "
                                     "x\nb: with other numbers in fresh memory the "
                                     "result is another: this is what you get when "
                                     "x\n"},
             true);
    expect(
        "a warning", got,
        "    a: p is wrong in 2 of 5 places; worst at [1]: got 0, expected 1, allowed\n"
        "    +-1e-06; with other numbers in fresh memory the result is another: see "
        "the\n    warning below\n    and 1 more test for the same reason\n"
        "    y.c:1:2: warning: 'v' may be used uninitialized [-Wmaybe-uninitialized]\n"
        "    y.c:9:1: warning: unused variable 'w'\n");
}

/* However long it is: 12 lines with the one above it, and the compiler's warnings. */
Test(verdict, at_most_eleven_lines) {
    char words[3000] = "x";
    for (size_t i = 1; i + 1 < sizeof words; i++) words[i] = i % 7 ? 'a' : ' ';
    compares("a", words, "fact", "y", "one\ntwo\nthree\n");
    compares("b", "q", "", "", "");
    char *got = told((VerdictInput){.names = "a b",
                                    .stages = "1 | x | a b\n",
                                    .step = "go ",
                                    .warnings = "w: warning: 1\nw: warning: 2\n"
                                                "w: warning: 3\n"},
                     true);
    size_t lines = 0, longest = 0;
    for (char *at = got; *at; at += strcspn(at, "\n") + 1) {
        size_t n = strcspn(at, "\n");
        lines++;
        longest = n > longest ? n : longest;
    }
    CHECK(lines <= 11 + 3 && longest <= 80, "%zu lines of up to %zu columns:\n%s",
          lines, longest, got);
    CHECK(strstr(got, " ...\n") != NULL, "what is cut off does not end in ...:\n%s",
          got);
}

Test(verdict, tests_that_pass_and_print) {
    text_add(&run, "[RUN ] x::a\none\ntwo\nthree\n[PASS] x::a: (0.00s)\n");
    expect("what passes", told((VerdictInput){.names = "a"}, true),
           "    a: passes\n            printed: three (2 more lines)\n");
}
