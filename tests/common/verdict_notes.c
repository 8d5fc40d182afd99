/* Tests of what further runs and sanitizers say of tests
 * (tests/support/verdict/notes.h, reports.h), and of the result as JUnit's XML. */
#include "verdict/notes.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "verdict/junit.h"
#include "verdict/reports.h"
#include "written_run.h"

static void expect(const char *what, char *got, const char *expected) {
    CHECK(strcmp(got, expected) == 0, "%s:\n%s\nexpected:\n%s", what, got, expected);
    free(got);
}

static const char *with_zeros(void) {
    return "[RUN ] x::set\n[PASS] x::set: (0.00s)\n";
}

/* A test that ran out of time may pass on a calmer machine, and what threads change is
 * no matter of memory. */
Test(verdict_notes, notes_of_further_runs) {
    ends("endless", "ran out of time");
    fails("sum", "", "the sum is 4; with one thread it is right");
    fails("set",
          "wrong: wrong=2\tof=5\twhat=out\tat=1\tgot=0\texpected=1\tallowed=1e-06\n",
          "out is wrong");
    char *many = text_take(&run);
    ends("endless", "other");
    fails("sum", "", "the sum is 5; with one thread it is right");
    char *filled = text_take(&run);
    expect(
        "notes",
        notes_of(&(FurtherRuns){.many = many, .zeros = with_zeros(), .filled = filled}),
        "set: where all outputs begin as 0 it is right: what an output held before is "
        "used in a calculation, or scaled; it must be set (=), or only be added to "
        "(+=)\n");
    expect("the note of a race",
           notes_of(&(FurtherRuns){.many = "[RUN ] x::sums\n[FAIL] x::sums\n",
                                   .one = "[RUN ] x::sums\n[PASS] x::sums\n",
                                   .races = "sums: two threads\n"}),
           "sums: with one thread it is right: two threads\n");
}

/* The note from sizes: a large one alone fails, an odd one after even ones, and one
 * beside another that is smaller than any that passes. */
static void expect_sizes(const char *sizes, const char *note) {
    text_add(&run,
             "[RUN ] x::small\nbits: 0 numbers=24,rows=6,dim=4 y\n[PASS] x::small\n");
    Text said = {0};
    text_add(&said, "bits: 1 %s y\nwrong: wrong=1\tof=9\twhat=y\tgot=0\texpected=1\n",
             sizes);
    fails("large", said.bytes, "y is wrong");
    char *many = text_take(&run);
    Text expected = {0};
    text_add(&expected, "large: right with rows up to 6, wrong with %s\n", note);
    expect(sizes, notes_of(&(FurtherRuns){.many = many}), expected.bytes);
}

Test(verdict_notes, notes_of_sizes) {
    const char fixed[] =
        ": does an array inside have a fixed size, or a sum too few digits";
    char note[200];
    snprintf(note, sizeof note, "500%s?", fixed);
    expect_sizes("numbers=9,rows=500,dim=4", note);
    snprintf(note, sizeof note, "501%s, or is the rest behind full blocks left out?",
             fixed);
    expect_sizes("numbers=9,rows=501,dim=4", note);
    expect_sizes("numbers=9,rows=500,dim=2",
                 "500; right with dim 4 or more, wrong with 2");
}

Test(verdict_notes, other_bytes_on_other_threads) {
    expect("other bits",
           other_bits("[RUN ] x::a\nbits: 1 n=4 y\nbits: 2 n=4 z\n",
                      "[RUN ] x::a\nbits: 1 n=4 y\nbits: 3 n=4 z\n",
                      "with 1 thread than with 2"),
           "a: z has other bytes with 1 thread than with 2: this is what you get when "
           "threads write to the same sum, or share its terms out by their number\n");
}

Test(verdict_notes, what_was_found_later_fails_what_passed) {
    expect("output",
           let_fail("[RUN ] x::a\n[PASS] x::a: (0.00s)\n", "a: it leaks\n", false),
           "[RUN ] x::a\n[----] again: Assertion Failed\n[----] \n[----]   it "
           "leaks\n[FAIL] "
           "x::a: (0.00s)\n");
    expect("tap",
           let_fail("ok - x::a  (0.00s)\nok - x::b  (0.00s)\n", "a: it leaks\n", true),
           "not ok - x::a  (0.00s)\nok - x::b  (0.00s)\n");
}

Test(verdict_notes, leaks_of_the_learners_file) {
    const char output[] = "[RUN ] x::a\nDirect leak of 8 byte(s)\n    #0 0x1 in malloc "
                          "(lib.so+0x1)\n    #1 at "
                          "/root/common/base/memory.c:9\n    #2 at "
                          "/root/mine/NN-x/y.c:5\nDirect leak of 8\n"
                          "    #1 at /root/tests/NN-x/y.c:7\n";
    expect(
        "leaks", leaks_of(output, "NN-x/y.c", "/root"),
        "a: memory is not given back: this is what you get when what mine/NN-x/y.c:5 "
        "takes is not freed\n");
}

/* The first report is of a file that is not the learner's. */
static const char race_reports[] =
    "[RUN ] x::a\n"
    "WARNING: ThreadSanitizer: data race (pid=1)\n"
    "  Write of size 4 at 0x1 by thread T1:\n    #0 f tests/y.c:3 (y+0x1)\n"
    "  Previous write of size 4 at 0x1 by main thread:\n    #0 f tests/y.c:3 (y+0x1)\n"
    "  Location is global 'of_the_test' of size 4 at 0x1\n"
    "SUMMARY: ThreadSanitizer: data race\n"
    "WARNING: ThreadSanitizer: data race (pid=1)\n"
    "  Write of size 4 at 0x1 by thread T1:\n    #0 f mine/y.c:2 (y+0x1)\n"
    "  Previous write of size 4 at 0x1 by main thread:\n    #0 f mine/y.c:2 (y+0x1)\n"
    "  Location is global 'sum.0' of size 4 at 0x1\n"
    "  Thread T1 (tid=2) created by main thread at:\n    #0 f mine/y.c:9 (y+0x1)\n"
    "SUMMARY: ThreadSanitizer: data race\n"
    "[FAIL] x::a: (0.00s)\n";

Test(verdict_notes, a_race_names_the_variable) {
    char *got =
        races_of(race_reports, "mine/y.c", "int x;\n  sum += x[i];\n", "other sum.1");
    CHECK(begins_with(got,
                      "a: two threads use `sum` in mine/y.c:2, `sum += x[i];`, and "
                      "one writes to it: this is what you get when a variable is "
                      "static"),
          "%s", got);
}

Test(verdict_notes, a_race_names_the_line) {
    char *got =
        races_of(race_reports, "mine/y.c", "int x;\n  sum += x[i];\n", "summed");
    CHECK(begins_with(got,
                      "a: two threads write to the same place in mine/y.c:2, `sum += "
                      "x[i];`: this is what you get when threads share a sum"),
          "%s", got);
}

Test(verdict_notes, junit_has_every_test) {
    char *got =
        junit_result(&(JunitInput){.exercise = "00-t/adamw",
                                   .names = "a b c",
                                   .tap = "ok - x::a  (0.02s)\n",
                                   .said = "b: 1 < 2 & \"3\"\n    printed: \001\n",
                                   .why = "did not run"});
    const char *expected[] = {
        "<testsuite name=\"00/adamw\" tests=\"3\" failures=\"2\" errors=\"0\"",
        "<testcase classname=\"00-t.adamw\" name=\"a\" time=\"0.02\"/>",
        "<failure message=\"1 &lt; 2 &amp; &quot;3&quot;\">    printed: ?\n</failure>",
        "name=\"c\" time=\"0.00\">\n      <failure message=\"did not run\">"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CHECK(strstr(got, expected[i]) != NULL, "no '%s' in\n%s", expected[i], got);
}
