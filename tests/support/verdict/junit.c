/* See junit.h. */
#include "verdict/junit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict/text.h"

typedef struct {
    const char *name, *message;
    Text details;
    double seconds;
    bool passed;
} Case;

typedef struct {
    Pool pool;
    Case *cases;
    size_t n;
} Suite;

static Case *case_of(Suite *suite, const char *name) {
    for (size_t i = 0; i < suite->n; i++)
        if (same_text(suite->cases[i].name, name)) return &suite->cases[i];
    return NULL;
}

/* "ok - suite::test (0.02s)" */
static void read_results(Suite *suite, const char *tap) {
    for (char *line; (line = next_line(&suite->pool, &tap));) {
        bool passed = begins_with(line, "ok - ");
        if (!passed && !begins_with(line, "not ok - ")) continue;
        Case *c = case_of(suite, test_name(&suite->pool, line));
        const char *seconds = strrchr(line, '(');
        if (!c) continue;
        c->passed = passed;
        c->seconds = seconds && ends_with(line, "s)") ? strtod(seconds + 1, NULL) : 0;
    }
}

/* "test: message", and below it what the test had printed. */
static void read_messages(Suite *suite, const char *said) {
    Case *last = NULL;
    for (char *line; (line = next_line(&suite->pool, &said));) {
        size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
        Case *c = n && begins_with(line + n, ": ")
                      ? case_of(suite, pool_cut(&suite->pool, line, line + n))
                      : NULL;
        if (c) {
            c->message = line + n + 2;
            last = c;
        } else if (last) {
            text_add(&last->details, "%s\n", line);
        }
    }
}

/* Bytes that are no XML, or half a character, become "?". */
static void add_escaped(Text *to, const char *text) {
    for (; *text; text++) {
        if (*text == '&')
            text_add(to, "&amp;");
        else if (*text == '<')
            text_add(to, "&lt;");
        else if (*text == '>')
            text_add(to, "&gt;");
        else if (*text == '"')
            text_add(to, "&quot;");
        else if ((*text >= ' ' && *text <= '~') || *text == '\n' || *text == '\t')
            text_add(to, "%c", *text);
        else
            text_add(to, "?");
    }
}

static void add_case(Text *to, const Case *c, const JunitInput *input) {
    size_t chapter = strcspn(input->exercise, "/");
    text_add(to, "    <testcase classname=\"%.*s.%s\" name=\"%s\" time=\"%.2f\"",
             (int)chapter, input->exercise,
             input->exercise + chapter + (input->exercise[chapter] == '/'), c->name,
             c->seconds);
    if (c->passed) {
        text_add(to, "/>\n");
        return;
    }
    text_add(to, ">\n      <failure message=\"");
    add_escaped(to, c->message ? c->message : input->why);
    text_add(to, "\">");
    add_escaped(to, !c->message        ? input->said
                    : c->details.bytes ? c->details.bytes
                                       : "");
    text_add(to, "</failure>\n    </testcase>\n");
}

static void add_suite(Text *to, Suite *suite, const JunitInput *input) {
    size_t failures = 0;
    double seconds = 0;
    for (size_t i = 0; i < suite->n; i++) {
        failures += !suite->cases[i].passed;
        seconds += suite->cases[i].seconds;
    }
    const char *counts = pool_format(
        &suite->pool,
        "tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"%.2f\"",
        suite->n, failures, seconds);
    const char *slash = strchr(input->exercise, '/');
    text_add(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n  <testsuite "
        "name=\"%.*s%s\" %s>\n",
        counts, (int)strcspn(input->exercise, "-"), input->exercise, slash ? slash : "",
        counts);
    for (size_t i = 0; i < suite->n; i++) add_case(to, &suite->cases[i], input);
    text_add(to, "  </testsuite>\n</testsuites>\n");
}

char *junit_result(const JunitInput *input) {
    Suite suite = {0};
    Text text = {0};
    const char *at = input->names;
    for (char *name; (name = next_word(&suite.pool, &at)); suite.n++) {
        suite.cases =
            pool_grown(&suite.pool, suite.cases, suite.n, sizeof *suite.cases);
        suite.cases[suite.n] = (Case){.name = name};
    }
    read_results(&suite, input->tap);
    read_messages(&suite, input->said);
    add_suite(&text, &suite, input);
    for (size_t i = 0; i < suite.n; i++) free(suite.cases[i].details.bytes);
    pool_free(&suite.pool);
    return text_take(&text);
}
