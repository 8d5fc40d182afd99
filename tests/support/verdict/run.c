/* See run.h. */
#include "verdict/run.h"

#include <stdio.h>
#include <string.h>

bool is_in_file(const char *line, const char *file, const char *root) {
    if (!file) return false;
    char here[600], test[1200];
    snprintf(here, sizeof here, "/%s:", file);
    snprintf(test, sizeof test, "%s/tests/%s:", root ? root : "", file);
    return strstr(line, here) && !strstr(line, test) && !strstr(line, " tests/") &&
           !begins_with(line, "tests/");
}

typedef struct {
    Pool *pool;
    TestsRun *run;
    TestRun *test; /* the one that runs; NULL before the first */
    size_t checks; /* that failed in it */
    bool in_leaks; /* what a test leaves behind is told by leaks_of */
    const char *file, *root;
} Reader;

static void begin_test(Reader *r, const char *line) {
    TestsRun *run = r->run;
    run->tests = pool_grown(r->pool, run->tests, run->n_tests, sizeof *run->tests);
    r->test = &run->tests[run->n_tests++];
    *r->test = (TestRun){.name = test_name(r->pool, line)};
    r->checks = 0;
}

static void add_string(Pool *pool, const char ***list, size_t *n, const char *text) {
    *list = pool_grown(pool, *list, *n, sizeof **list);
    (*list)[(*n)++] = text;
}

static void add_compared(Reader *r, const char *line) {
    TestRun *t = r->test;
    const char *at = line;
    Compared compared = {.sum = next_word(r->pool, &at),
                         .sizes = next_word(r->pool, &at)};
    if (!compared.sum || !compared.sizes) return;
    compared.what = at + (*at == ' ');
    t->compared = pool_grown(r->pool, t->compared, t->n_compared, sizeof compared);
    t->compared[t->n_compared++] = compared;
}

/* A line of Criterion's about a check that failed: the first one is the test's
 * message. */
static void add_message(Reader *r, const char *text) {
    TestRun *t = r->test;
    text += strspn(text, " ");
    if (!*text) return;
    t->said = pool_format(r->pool, "%s%s\n", t->said ? t->said : "", text);
    if (r->checks == 1)
        t->message = pool_format(r->pool, "%s%s%s", t->message ? t->message : "",
                                 t->message ? " " : "", text);
}

static bool criterion_says(Reader *r, const char *line) {
    static const char *others[] = {"[====] ", "[----] ", "[SKIP] ",
                                   "[INFO] ", "[WARN] ", "[ERR ] "};
    if (begins_with(line, "[RUN ] ")) {
        begin_test(r, line + 7);
        return true;
    }
    if (r->test && strstr(line, ": Assertion Failed") && begins_with(line, "[----] ")) {
        r->checks++;
        return true;
    }
    if (r->test && begins_with(line, "[----]  ")) {
        add_message(r, line + 7);
        return true;
    }
    if (begins_with(line, "[PASS] ") || begins_with(line, "[FAIL] ")) {
        if (!r->test) return true;
        r->test->outcome = line[1] == 'P' ? PASSED_TEST : FAILED_TEST;
        r->test->ended = line;
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins_with(line, others[i])) return true;
    return false;
}

/* The lines of key: value that tests print as data (check.c, crash.c). */
static bool test_says(Reader *r, const char *line) {
    TestRun *t = r->test;
    if (begins_with(line, "bits: ")) {
        add_compared(r, line + 6);
    } else if (begins_with(line, "wrong: wrong=")) {
        t->findings =
            pool_grown(r->pool, t->findings, t->n_findings, sizeof *t->findings);
        t->findings[t->n_findings++] = finding_read(r->pool, line + 7);
    } else if (begins_with(line, "not: ")) {
        add_string(r->pool, &r->run->ruled_out, &r->run->n_ruled_out, line + 5);
    } else if (begins_with(line, "right: ")) {
        add_string(r->pool, &r->run->not_made, &r->run->n_not_made, line + 7);
    } else if (begins_with(line, "stack:")) {
        t->stack = line + 6;
    } else {
        return false;
    }
    return true;
}

/* " 0x12 in thread T3" and the like, from there on, says nothing. */
static void cut_at(char *line, const char *part) {
    char *found = strstr(line, part);
    if (found) *found = '\0';
}

/* The sanitizers' reports: the first line, and the first place in the learner's file.
 */
static void sanitizer_says(Reader *r, char *line) {
    TestRun *t = r->test;
    char *start = line;
    if (!t->sanitizer) {
        if (begins_with(line, "==")) {
            start += 2 + strspn(line + 2, "0123456789");
            start += begins_with(start, "==") ? 2 : 0;
        }
        cut_at(start, " on unknown address 0x");
        cut_at(start, " on address 0x");
        char *thread = strstr(start, " in thread");
        if (thread) {
            char *address = strstr(start, " on 0x");
            if (!address) address = strstr(start, ": 0x");
            if (address && address < thread) *address = '\0';
        }
        t->sanitizer = start;
        t->n_printed = 0;
        return;
    }
    if (t->in_the_file || !is_in_file(line, r->file, r->root)) return;
    char *place = strstr(line, " in ");
    if (!place) return;
    char *path = strrchr(place, ' ') + 1, *loop = strstr(place, "._omp_fn.");
    path[-1] = '\0';
    if (loop) *loop = '\0';
    bool gone = strstr(t->sanitizer, "stack-use-after-return") ||
                strstr(t->sanitizer, "stack-use-after-scope");
    t->sanitizer = pool_format(
        r->pool, "%s%s %s%s", t->sanitizer, place, below(r->root, path),
        gone
            ? ": this is what you get when a pointer to a local variable is used after "
              "its block or function has ended"
            : "");
    t->in_the_file = true;
}

static bool is_of_leaks(Reader *r, const char *line) {
    if (strstr(line, "ERROR: LeakSanitizer")) r->in_leaks = true;
    bool rule = begins_with(line, "================================="),
         inside = r->in_leaks || rule;
    TestRun *t = r->test;
    if (rule && t && t->n_printed && !*t->printed[t->n_printed - 1]) t->n_printed--;
    if (begins_with(line, "SUMMARY: AddressSanitizer")) r->in_leaks = false;
    return inside;
}

static void read_line(Reader *r, char *line) {
    if (criterion_says(r, line) || is_of_leaks(r, line)) return;
    if (!r->test || test_says(r, line)) return;
    bool report =
             strstr(line, "runtime error: ") || strstr(line, "ERROR: AddressSanitizer"),
         frame = line[strspn(line, " ")] == '#' && line[0] == ' ';
    if ((report && !r->test->sanitizer) || (frame && r->test->sanitizer))
        sanitizer_says(r, line);
    else
        add_string(r->pool, &r->test->printed, &r->test->n_printed, line);
}

TestsRun run_read(Pool *pool, const char *output, const char *file, const char *root) {
    TestsRun run = {0};
    Reader r = {.pool = pool, .run = &run, .file = file, .root = root};
    for (char *line; (line = next_line(pool, &output));) read_line(&r, line);
    return run;
}

const TestRun *run_test(const TestsRun *run, const char *name) {
    for (size_t i = 0; i < run->n_tests; i++)
        if (same_text(run->tests[i].name, name)) return &run->tests[i];
    return NULL;
}

bool run_passed(const TestsRun *run, const char *name) {
    const TestRun *test = run_test(run, name);
    return test && test->outcome == PASSED_TEST;
}
