/* Tests of common/grammar: a language small enough to be enumerated by hand,
 * and tables that must be refused. */
#include "text/grammar.h"

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(grammar, .timeout = 120);

#define CREATE(rules) grammar_create(rules, sizeof(rules) / sizeof *(rules))

/* Every feature once: weights, names, exclusion, forms, capitals,
 * answers, a rule that reads its user's names. */
static const GrammarRule tiny[] = {
    {"story", {"[who:a] sees [who:b!a]. [then]"}},
    {"then", {"3*{^b.pronoun} is [mood].", "{^a.pronoun} asks: [question]"}},
    {"question", {"who? {a?}.", "2*whom? {^b?}."}},
    {"mood", {"glad", "4*bad"}},
    {"who|pronoun", {"2*ann|she", "bob|he", "3*cy|it"}},
};

/* The same language by nested loops, written without the grammar code. */
typedef struct {
    char text[48];
    double p;
} Text;

static size_t enumerate_tiny(Text texts[24]) {
    const char *names[] = {"ann", "bob", "cy"}, *capitals[] = {"Ann", "Bob", "Cy"};
    const char *pronouns[] = {"She", "He", "It"};
    const double weights[] = {2, 1, 3};
    size_t n = 0;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            if (a == b) continue;
            double p = weights[a] / 6 * weights[b] / (6 - weights[a]);
            char start[24];
            snprintf(start, sizeof start, "%s sees %s.", names[a], names[b]);
            Text *t = &texts[n];
            snprintf(t[0].text, sizeof t->text, "%s %s is glad.", start, pronouns[b]);
            snprintf(t[1].text, sizeof t->text, "%s %s is bad.", start, pronouns[b]);
            snprintf(t[2].text, sizeof t->text, "%s %s asks: who? %s.", start,
                     pronouns[a], names[a]);
            snprintf(t[3].text, sizeof t->text, "%s %s asks: whom? %s.", start,
                     pronouns[a], capitals[b]);
            t[0].p = p * 3 / 4 * 1 / 5;
            t[1].p = p * 3 / 4 * 4 / 5;
            t[2].p = p * 1 / 4 * 1 / 3;
            t[3].p = p * 1 / 4 * 2 / 3;
            n += 4;
        }
    }
    return n;
}

Test(grammar, reads_every_text_with_its_probability) {
    Text texts[24];
    size_t n = enumerate_tiny(texts);
    Grammar *g = CREATE(tiny);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        GrammarReading r = grammar_read(g, texts[i].text, strlen(texts[i].text));
        CHECK(r.grammatical, "'%s' was not read", texts[i].text);
        CHECK(r.answers == (i % 4 >= 2) && r.right == r.answers,
              "'%s': %zu answers, %zu right", texts[i].text, r.answers, r.right);
        CHECK(fabs(r.nll + log(texts[i].p)) < 1e-12,
              "'%s': -ln p is %.15g, expected %.15g", texts[i].text, r.nll,
              -log(texts[i].p));
        sum += exp(-r.nll);
        for (size_t j = 0; j < i; j++) cr_assert_str_neq(texts[i].text, texts[j].text);
    }
    CHECK(fabs(sum - 1) < 1e-12, "the probabilities of all texts add up to %.15g", sum);
    grammar_free(g);
}

Test(grammar, entropy_and_length_equal_the_sums_over_all_texts) {
    Text texts[24];
    size_t n = enumerate_tiny(texts);
    double entropy = 0, bytes = 0;
    for (size_t i = 0; i < n; i++) {
        entropy -= texts[i].p * log(texts[i].p);
        bytes += texts[i].p * (double)strlen(texts[i].text);
    }
    Grammar *g = CREATE(tiny);
    GrammarMeasure m = grammar_measure(g);
    CHECK(fabs(m.entropy - entropy) < 1e-12, "entropy %.15g, expected %.15g", m.entropy,
          entropy);
    CHECK(fabs(m.bytes - bytes) < 1e-12, "expected length %.15g, expected %.15g",
          m.bytes, bytes);
    grammar_free(g);
}

Test(grammar, writes_every_text_as_often_as_it_should) {
    enum { SAMPLES = 100000 };
    Text texts[24];
    size_t n = enumerate_tiny(texts), counts[24] = {0};
    Grammar *g = CREATE(tiny);
    Random random = random_create(5);
    for (int s = 0; s < SAMPLES; s++) {
        char out[64];
        double nll = 0;
        size_t bytes = grammar_write(g, &random, out, sizeof out - 1, &nll);
        out[bytes] = '\0';
        size_t i = 0;
        while (i < n && strcmp(out, texts[i].text) != 0) i++;
        CHECK(i < n, "'%s' is not a text of the language", out);
        CHECK(fabs(nll + log(texts[i].p)) < 1e-12,
              "'%s' was written with -ln p = %.15g", out, nll);
        counts[i]++;
    }
    for (size_t i = 0; i < n; i++) {
        double expected = SAMPLES * texts[i].p,
               deviation = sqrt(expected * (1 - texts[i].p));
        CHECK(fabs((double)counts[i] - expected) < 4.5 * deviation,
              "'%s' was written %zu times, expected %.0f +- %.0f", texts[i].text,
              counts[i], expected, deviation);
    }
    grammar_free(g);
}

Test(grammar, a_full_buffer_is_not_exceeded) {
    Grammar *g = CREATE(tiny);
    char whole[64], part[11];
    memset(part, '#', sizeof part);
    double nll = 0;
    Random random = random_create(5), again = random;
    size_t bytes = grammar_write(g, &random, whole, sizeof whole, &nll);
    cr_assert_eq(grammar_write(g, &again, part, 10, &nll), bytes);
    cr_assert_arr_eq(part, whole, 10);
    cr_assert_eq(part[10], '#');
    grammar_free(g);
}

Test(grammar, a_wrong_answer_is_told_from_a_wrong_sentence) {
    Grammar *g = CREATE(tiny);
    struct {
        const char *text;
        bool grammatical;
        size_t answers, right;
    } cases[] = {
        {"ann sees bob. She asks: whom? Bob.", true, 1, 1},
        {"ann sees bob. She asks: whom? Cy.", true, 1, 0},
        {"ann sees bob. She asks: whom? Dan.", false, 1, 0},
        {"ann sees bob. He asks: whom? Bob.", false, 0, 0},
        {"ann sees ann. She is bad.", false, 0, 0},
        {"ann sees bob. He is bad", false, 0, 0},
        {"ann sees bob. He is bad.!", false, 0, 0},
        {"ann", false, 0, 0},
        {"", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GrammarReading r = grammar_read(g, cases[i].text, strlen(cases[i].text));
        CHECK(r.grammatical == cases[i].grammatical && r.answers == cases[i].answers &&
                  r.right == cases[i].right,
              "'%s': grammatical %d, answers %zu, right %zu", cases[i].text,
              r.grammatical, r.answers, r.right);
        CHECK(isinf(r.nll) == !(r.grammatical && r.right == 1), "'%s': -ln p is %g",
              cases[i].text, r.nll);
    }
    grammar_free(g);
}

static void measure(void *rules) {
    const GrammarRule *table = rules;
    size_t n = 0;
    while (table[n].name) n++;
    Grammar *g = grammar_create(table, n);
    grammar_measure(g);
    grammar_free(g);
}

typedef struct {
    const char *message; /* NULL: nothing to complain about */
    GrammarRule rules[5];
} Table;

static void expect_all(Table *tables, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (tables[i].message)
            expect_exit(EXIT_INPUT, tables[i].message, measure, tables[i].rules);
        else
            expect_exit(0, "", measure, tables[i].rules);
    }
}

Test(grammar, ambiguous_tables_are_refused) {
    Table tables[] = {
        /* "ab" + "c" and "a" + "bc" are the same text. */
        {"begin alike", {{"s", {"[x][y]"}}, {"x", {"a", "ab"}}, {"y", {"c", "bc"}}}},
        {"begin alike",
         {{"s", {"the [x] runs", "the [x] sleeps"}}, {"x", {"cat", "dog"}}}},
        {"begin alike", {{"s", {"[x]", "cat"}}, {"x", {"cat", "dog"}}}},
        {"begin alike", {{"s", {"cat", ""}}}},
        /* Ambiguous only where two names happen to stand for the same word,
         * or one's word begins with another's. */
        {"begin alike",
         {{"s", {"[x:a] [x:b] [q]"}}, {"q", {"{a}", "{b}"}}, {"x", {"cat", "dog"}}}},
        {NULL,
         {{"s", {"[x:a] [x:b!a] [q]"}}, {"q", {"{a}", "{b}"}}, {"x", {"cat", "dog"}}}},
        {"begin alike",
         {{"s", {"[x:a] [x:b!a] [q]"}},
          {"q", {"{a.up}", "{b.up}"}},
          {"x|up", {"cat|C", "dog|C", "hen|H"}}}},
        /* An answer can be a wrong one, so it tells nothing. */
        {"begin alike",
         {{"s", {"[x:a] [x:b!a] [q]"}},
          {"q", {"{a?}", "{b?}"}},
          {"x", {"cat", "dog"}}}},
        {NULL, {{"s", {"the [x] runs", "a [x] sleeps"}}, {"x", {"cat", "dog"}}}},
    };
    expect_all(tables, sizeof tables / sizeof *tables);
}

Test(grammar, malformed_tables_are_refused) {
    Table tables[] = {
        {"there is no rule 'y'", {{"s", {"[y]"}}, {"x", {"cat"}}}},
        {"'s' uses 's', which does not come after it", {{"s", {"a[s]", "b"}}}},
        {"'x' uses 's', which does not come after it",
         {{"s", {"[x]"}}, {"x", {"cat[s]"}}}},
        {"the name 'b' is bound nowhere above", {{"s", {"[x:a] {b}"}}, {"x", {"cat"}}}},
        {"the name 'b' is bound nowhere above", {{"s", {"[x:a!b]"}}, {"x", {"cat"}}}},
        {"'a' is used where it is not bound",
         {{"s", {"one [x:a]", "two [y]"}}, {"y", {"{a}"}}, {"x", {"cat"}}}},
        {"'b' is not a word of 'x'",
         {{"s", {"[y:b] [x:a!b]"}}, {"y", {"dog"}}, {"x", {"cat"}}}},
        {"stands for a word of 'x' and for one of 'y'",
         {{"s", {"[x:a] [y:a]"}}, {"x", {"cat"}}, {"y", {"dog"}}}},
        {"only plain words can be bound",
         {{"s", {"[x:a]"}}, {"x", {"my [y]"}}, {"y", {"dog"}}}},
        {"'x' has no form 'she'", {{"s", {"[x:a] {a.she}"}}, {"x|he", {"cat|he"}}}},
        {"does not have 2 forms", {{"s", {"[x]"}}, {"x|he", {"cat"}}}},
        {"only the first form", {{"s", {"[x]"}}, {"x|he", {"cat|[s]"}}}},
        {"'[' is not closed", {{"s", {"[x"}}, {"x", {"cat"}}}},
        {"is too much in the braces", {{"s", {"[x:a] {a?b}"}}, {"x", {"cat"}}}},
        {"no weight", {{"s", {"3 cats"}}}},
        {"no weight", {{"s", {"0*cats"}}}},
        {"leave nothing to choose", {{"s", {"[x:a] [x:b!a]"}}, {"x", {"cat"}}}},
        {"does not have 1 to", {{"s", {"[x]"}}, {"x", {NULL}}}},
    };
    expect_all(tables, sizeof tables / sizeof *tables);
}
