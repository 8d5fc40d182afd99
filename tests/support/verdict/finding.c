/* See finding.h. */
#include "verdict/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACT "this is what you get when "

const char *number_beside(Pool *pool, double x, double other) {
    char text[2][40];
    int digits = 7;
    do {
        snprintf(text[0], sizeof *text, "%.*g", digits, x);
        snprintf(text[1], sizeof *text, "%.*g", digits, other);
    } while (x != other && strcmp(text[0], text[1]) == 0 && ++digits <= 17);
    return pool_cut(pool, text[0], text[0] + strlen(text[0]));
}

/* The keys that hold one text each. */
typedef struct {
    const char *key;
    size_t at;
} Field;

#define FIELD(name)                                                                    \
    { #name, offsetof(Finding, name) }
static const Field fields[] = {FIELD(what),     FIELD(at),      FIELD(got),
                               FIELD(expected), FIELD(allowed), FIELD(numbers),
                               FIELD(located),  FIELD(fact)};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const char **field_of(Finding *finding, const Field *field) {
    return (const char **)((char *)finding + field->at);
}

void finding_write(Text *to, const Finding *finding) {
    Finding copy = *finding;
    text_add(to, "wrong: wrong=%zu\tof=%zu", finding->wrong, finding->of);
    for (size_t i = 0; i < N_FIELDS; i++) {
        const char *value = *field_of(&copy, &fields[i]);
        if (value) text_add(to, "\t%s=%s", fields[i].key, value);
    }
    for (size_t i = 0; i < finding->n_suspects; i++)
        text_add(to, "\tperhaps=%s", finding->suspects[i]);
    text_add(to, "\n");
}

Finding finding_read(Pool *pool, const char *text) {
    enum { MOST = N_FIELDS + 2 + MOST_SUSPECTS };
    Finding finding = {0};
    const char *parts[MOST];
    size_t n = split(pool, text, "\t", parts, MOST);
    for (size_t p = 0; p < n; p++) {
        const char *value = strchr(parts[p], '=');
        if (!value) continue;
        const char *key = pool_cut(pool, parts[p], value++);
        for (size_t i = 0; i < N_FIELDS; i++)
            if (same_text(key, fields[i].key)) *field_of(&finding, &fields[i]) = value;
        if (same_text(key, "wrong")) finding.wrong = strtoul(value, NULL, 10);
        if (same_text(key, "of")) finding.of = strtoul(value, NULL, 10);
        if (same_text(key, "perhaps") && finding.n_suspects < MOST_SUSPECTS)
            finding.suspects[finding.n_suspects++] = value;
    }
    return finding;
}

void finding_sentence(Text *to, const Finding *f) {
    if (f->words) text_add(to, "%s", f->words);
    if (f->what)
        text_add(to,
                 "%s is wrong in %zu of %zu places; worst at [%s]: got %s, expected "
                 "%s, allowed +-%s",
                 f->what, f->wrong, f->of, f->at, f->got, f->expected, f->allowed);
    if (f->numbers) text_add(to, "; the numbers say: %s", f->numbers);
    if (f->located) text_add(to, "; %s", f->located);
    if (f->after) text_add(to, "%s", f->after);
    if (f->fact) text_add(to, "%s" FACT "%s", f->is_sentence ? ": " : "; ", f->fact);
    for (size_t i = 0; i < f->n_suspects; i++)
        text_add(to, "%s%s", i ? ", or " : "; perhaps ", f->suspects[i]);
}

Finding finding_in_words(Pool *pool, const char *text) {
    Finding finding = {0};
    const char *end = text + strlen(text), *perhaps = last_of(text, "; perhaps "),
               *fact = last_of(text, "; " FACT);
    if (perhaps && !fact) {
        end = perhaps;
        finding.n_suspects = split(pool, perhaps + strlen("; perhaps "), ", or ",
                                   finding.suspects, MOST_SUSPECTS);
    } else if (fact || (fact = last_of(text, ": " FACT))) {
        end = fact;
        finding.is_sentence = *fact == ':';
        finding.fact = fact + strlen("; " FACT);
    }
    finding.words = pool_cut(pool, text, end);
    return finding;
}

void finding_doubt(Finding *finding) {
    finding->suspects[0] = finding->fact;
    finding->n_suspects = 1;
    finding->fact = NULL;
}

bool finding_is_plain_number(const Finding *finding) {
    return finding->what && finding->wrong == 1 && finding->of == 1 &&
           strlen(finding->got) <= 3u + (*finding->got == '-') &&
           strspn(finding->got, "-0123456789.") == strlen(finding->got);
}

bool finding_says_little(const Finding *finding) {
    return finding_is_plain_number(finding) ||
           (finding->words && strstr(finding->words, " tokens), expected "));
}
