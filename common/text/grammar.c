/* Compiles the table of strings to the grammar of grammar_table.h, with all error
 * messages. */
#include "text/grammar_table.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool span_equal(Span a, Span b) {
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static Span span_of(const char *s) {
    return (Span){s, strlen(s)};
}

/* Cuts the part before the first of the bytes `stops` off `*rest`; `*rest` then starts
 * at that byte. */
static Span span_until(Span *rest, const char *stops) {
    Span part = {rest->bytes, 0};
    while (part.length < rest->length && !strchr(stops, rest->bytes[part.length]))
        part.length++;
    rest->bytes += part.length;
    rest->length -= part.length;
    return part;
}

static bool span_skip(Span *rest, char byte) {
    if (rest->length == 0 || rest->bytes[0] != byte) return false;
    rest->bytes++;
    rest->length--;
    return true;
}

static bool span_contains(Span s, const char *bytes) {
    span_until(&s, bytes);
    return s.length > 0;
}

static char *copy_span(Span s) {
    return memcpy(checked_alloc(s.length + 1, 1), s.bytes, s.length);
}

static size_t split_forms(Span text, Span forms[MAX_FORMS], const char *rule) {
    size_t n = 0;
    do {
        if (n == MAX_FORMS)
            die("grammar rule '%s': more than %d forms in '%s'", rule, MAX_FORMS,
                text.bytes);
        forms[n++] = span_until(&text, "|");
    } while (span_skip(&text, '|'));
    return n;
}

static size_t find_rule(const Grammar *g, Span name, const char *user) {
    for (size_t r = 0; r < g->n_rules; r++)
        if (span_equal(span_of(g->rules[r].name), name)) return r;
    die("grammar rule '%s': there is no rule '%.*s'", user, (int)name.length,
        name.bytes);
}

static int find_variable(const Grammar *g, Span name, const char *user) {
    for (size_t v = 0; v < g->n_variables; v++)
        if (span_equal(g->variables[v], name)) return (int)v;
    die("grammar rule '%s': the name '%.*s' is bound nowhere above", user,
        (int)name.length, name.bytes);
}

static int bind_variable(Grammar *g, Span name, size_t rule) {
    for (size_t v = 0; v < g->n_variables; v++) {
        if (!span_equal(g->variables[v], name)) continue;
        if (g->variable_rule[v] != rule)
            die("grammar: the name '%.*s' stands for a word of '%s' and for one of "
                "'%s'",
                (int)name.length, name.bytes, g->rules[g->variable_rule[v]].name,
                g->rules[rule].name);
        return (int)v;
    }
    if (g->n_variables == MAX_VARIABLES)
        die("grammar: more than %d names", MAX_VARIABLES);
    g->variables[g->n_variables] = name;
    g->variable_rule[g->n_variables] = rule;
    return (int)g->n_variables++;
}

/* "person:friend!owner", the text between the brackets in rule `user`. */
static Item compile_choice(Grammar *g, Span inner, size_t user) {
    const char *user_name = g->rules[user].name;
    Item item = {.kind = ITEM_CHOICE, .variable = UNBOUND};
    item.rule = find_rule(g, span_until(&inner, ":!"), user_name);
    if (item.rule <= user)
        die("grammar rule '%s' uses '%s', which does not come after it", user_name,
            g->rules[item.rule].name);
    Span name = span_skip(&inner, ':') ? span_until(&inner, "!") : (Span){NULL, 0};
    while (span_skip(&inner, '!')) {
        Span other = span_until(&inner, "!");
        int v = find_variable(g, other, user_name);
        if (g->variable_rule[v] != item.rule)
            die("grammar rule '%s': '%.*s' is not a word of '%s'", user_name,
                (int)other.length, other.bytes, g->rules[item.rule].name);
        item.except |= 1u << v;
    }
    if (name.bytes) item.variable = bind_variable(g, name, item.rule);
    return item;
}

/* "^owner.she?", the text between the braces. */
static Item compile_recall(const Grammar *g, Span inner, const char *user) {
    Item item = {.kind = ITEM_RECALL, .capital = span_skip(&inner, '^')};
    item.variable = find_variable(g, span_until(&inner, ".?"), user);
    const Rule *rule = &g->rules[g->variable_rule[item.variable]];
    if (span_skip(&inner, '.')) {
        Span column = span_until(&inner, "?");
        while (item.form < rule->n_columns &&
               !span_equal(rule->columns[item.form], column))
            item.form++;
        if (item.form == rule->n_columns)
            die("grammar rule '%s': '%s' has no form '%.*s'", user, rule->name,
                (int)column.length, column.bytes);
    }
    item.answer = span_skip(&inner, '?');
    if (inner.length > 0)
        die("grammar rule '%s': '%.*s' is too much in the braces", user,
            (int)inner.length, inner.bytes);
    return item;
}

/* "3*" at the start of an alternative. */
static double compile_weight(Span *rest, const char *user) {
    const char *source = rest->bytes;
    double weight = 0;
    while (rest->length > 0 && rest->bytes[0] >= '0' && rest->bytes[0] <= '9') {
        weight = 10 * weight + (rest->bytes[0] - '0');
        span_skip(rest, rest->bytes[0]);
    }
    if (rest->bytes == source) return 1;
    if (!span_skip(rest, '*') || weight < 1)
        die("grammar rule '%s': '%s' starts with a number that is no weight such as "
            "'3*'",
            user, source);
    return weight;
}

static void compile_alternative(Grammar *g, size_t user, Alternative *a,
                                const char *source) {
    const Rule *rule = &g->rules[user];
    Span rest = span_of(source);
    a->weight = compile_weight(&rest, rule->name);
    if (split_forms(rest, a->forms, rule->name) != rule->n_columns)
        die("grammar rule '%s': '%s' does not have %zu forms", rule->name, source,
            rule->n_columns);
    for (size_t f = 1; f < rule->n_columns; f++)
        if (span_contains(a->forms[f], "[{"))
            die("grammar rule '%s': only the first form of '%s' can hold brackets",
                rule->name, source);
    for (rest = a->forms[0]; rest.length > 0;) {
        if (a->n_items == MAX_ITEMS)
            die("grammar rule '%s': '%s' has too many parts", rule->name, source);
        Item item = {.kind = ITEM_TEXT};
        char open = rest.bytes[0];
        if (open == '[' || open == '{') {
            span_skip(&rest, open);
            Span inner = span_until(&rest, open == '[' ? "]" : "}");
            if (!span_skip(&rest, open == '[' ? ']' : '}'))
                die("grammar rule '%s': '%c' is not closed in '%s'", rule->name, open,
                    source);
            item = open == '[' ? compile_choice(g, inner, user)
                               : compile_recall(g, inner, rule->name);
        } else {
            item.text = span_until(&rest, "[{");
        }
        a->items[a->n_items++] = item;
    }
}

/* Rules use only later ones, so from the last to the first the sets of those they use
 * are known. */
static void find_reads(Grammar *g) {
    for (size_t r = g->n_rules; r-- > 0;) {
        Rule *rule = &g->rules[r];
        for (size_t k = 0; k < rule->n_alternatives; k++) {
            uint32_t bound = 0;
            const Alternative *a = &rule->alternatives[k];
            for (const Item *item = a->items; item < a->items + a->n_items; item++) {
                uint32_t needs = 0;
                if (item->kind == ITEM_RECALL) needs = 1u << item->variable;
                if (item->kind == ITEM_CHOICE)
                    needs = item->except | g->rules[item->rule].reads;
                rule->reads |= needs & ~bound;
                if (item->kind == ITEM_CHOICE && item->variable != UNBOUND)
                    bound |= 1u << item->variable;
            }
        }
    }
    for (size_t v = 0; v < g->n_variables; v++) {
        if (g->rules[0].reads >> v & 1)
            die("grammar: '%.*s' is used where it is not bound",
                (int)g->variables[v].length, g->variables[v].bytes);
        const Rule *rule = &g->rules[g->variable_rule[v]];
        for (size_t k = 0; k < rule->n_alternatives; k++)
            if (rule->alternatives[k].n_items > 1 ||
                rule->alternatives[k].items[0].kind != ITEM_TEXT)
                die("grammar rule '%s': only plain words can be bound to a name",
                    rule->name);
    }
}

Grammar *grammar_create(const GrammarRule *rules, size_t n) {
    Grammar *g = checked_alloc(1, sizeof *g);
    g->rules = checked_alloc(n, sizeof *g->rules);
    g->n_rules = n;
    for (size_t r = 0; r < n; r++) {
        Rule *rule = &g->rules[r];
        rule->n_columns =
            split_forms(span_of(rules[r].name), rule->columns, rules[r].name);
        rule->name = copy_span(rule->columns[0]);
        while (rule->n_alternatives <= GRAMMAR_ALTERNATIVES &&
               rules[r].alternatives[rule->n_alternatives])
            rule->n_alternatives++;
        if (rule->n_alternatives == 0 || rule->n_alternatives > GRAMMAR_ALTERNATIVES)
            die("grammar rule '%s' does not have 1 to %d alternatives", rule->name,
                GRAMMAR_ALTERNATIVES);
        rule->alternatives =
            checked_alloc(rule->n_alternatives, sizeof *rule->alternatives);
    }
    for (size_t r = 0; r < n; r++)
        for (size_t k = 0; k < g->rules[r].n_alternatives; k++)
            compile_alternative(g, r, &g->rules[r].alternatives[k],
                                rules[r].alternatives[k]);
    find_reads(g);
    return g;
}

void grammar_free(Grammar *g) {
    if (!g) return;
    for (size_t r = 0; r < g->n_rules; r++) {
        free(g->rules[r].name);
        free(g->rules[r].alternatives);
    }
    free(g->rules);
    free(g);
}
