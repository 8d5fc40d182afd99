/* Entropy and expected length: sums over everything that a grammar can choose.
 *
 * A choice that is not remembered concerns nothing outside its own text, so its measure
 * is an average over its alternatives and simply adds to the rest. A choice bound to a
 * name changes what follows: the rest of the alternative is measured once for each
 * word. The work is thus the number of combinations of names, not of texts. */
#include "text/grammar_table.h"

#include "base/error.h"
#include "math/fmath.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The last result of a rule, which often serves again:
 * the names it depends on change less than the others. */
typedef struct {
    bool known;
    Bindings names; /* those the rule reads or that exclude words from it; all others
                       are unbound */
    GrammarMeasure measure;
} Memory;

typedef struct {
    const Grammar *g;
    Memory *memory; /* one for each rule */
} Meter;

typedef struct {
    char bytes[MAX_OPENING];
    size_t length;
} Opening;

static void find_opening(const Grammar *g, const Alternative *a, const Bindings *b,
                         Opening *o) {
    o->length = 0;
    for (size_t i = 0; i < a->n_items && item_opens(&a->items[i]); i++) {
        Span text = item_text(g, &a->items[i], b);
        for (size_t k = 0; k < text.length && o->length < MAX_OPENING; k++)
            o->bytes[o->length++] = item_byte(&a->items[i], text, k);
    }
}

static void check_openings(const Grammar *g, const Rule *rule, const Bindings *b) {
    Opening openings[GRAMMAR_ALTERNATIVES];
    for (size_t k = 0; k < rule->n_alternatives; k++) {
        find_opening(g, &rule->alternatives[k], b, &openings[k]);
        for (size_t j = 0; j < k; j++) {
            const Opening *p = &openings[j], *q = &openings[k];
            if (memcmp(p->bytes, q->bytes,
                       p->length < q->length ? p->length : q->length) == 0)
                die("grammar rule '%s': '%.*s' and '%.*s' begin alike and cannot be "
                    "told apart",
                    rule->name, (int)p->length, p->bytes, (int)q->length, q->bytes);
        }
    }
}

/* The names that are in `set`, all others unbound. */
static Bindings only(const Bindings *b, uint32_t set) {
    Bindings result = bindings_none();
    for (uint32_t left = set; left != 0; left &= left - 1)
        result.word[__builtin_ctz(left)] = b->word[__builtin_ctz(left)];
    return result;
}

static void add(GrammarMeasure *sum, double p, GrammarMeasure m) {
    sum->entropy += p * m.entropy;
    sum->bytes += p * m.bytes;
}

static GrammarMeasure measure_choice(Meter *m, const Item *choice, const Bindings *b);

/* Items first .. n_items-1 of alternative `a`. */
static GrammarMeasure measure_items(Meter *m, const Alternative *a, size_t first,
                                    const Bindings *b) {
    GrammarMeasure sum = {0, 0};
    for (size_t i = first; i < a->n_items; i++) {
        const Item *item = &a->items[i];
        if (item->kind != ITEM_CHOICE) {
            sum.bytes += (double)item_text(m->g, item, b).length;
            continue;
        }
        add(&sum, 1, measure_choice(m, item, b));
        if (item->variable == UNBOUND) continue;
        double total = choice_weight(m->g, item, b);
        const Rule *rule = &m->g->rules[item->rule];
        for (size_t k = 0; k < rule->n_alternatives; k++) {
            if (!choice_allows(item, b, k)) continue;
            Bindings next = *b;
            next.word[item->variable] = (int8_t)k;
            add(&sum, rule->alternatives[k].weight / total,
                measure_items(m, a, i + 1, &next));
        }
        break;
    }
    return sum;
}

static GrammarMeasure measure_choice(Meter *m, const Item *choice, const Bindings *b) {
    const Rule *rule = &m->g->rules[choice->rule];
    Memory *memory = &m->memory[choice->rule];
    Bindings names = only(b, rule->reads | choice->except);
    if (memory->known && memcmp(&memory->names, &names, sizeof names) == 0)
        return memory->measure;
    check_openings(m->g, rule, b);
    double total = choice_weight(m->g, choice, b);
    GrammarMeasure sum = {0, 0};
    for (size_t k = 0; k < rule->n_alternatives; k++) {
        if (!choice_allows(choice, b, k)) continue;
        double p = rule->alternatives[k].weight / total;
        add(&sum, p, measure_items(m, &rule->alternatives[k], 0, b));
        sum.entropy -= p * log_double(p);
    }
    *memory = (Memory){true, names, sum};
    return sum;
}

GrammarMeasure grammar_measure(const Grammar *g) {
    Meter m = {g, checked_alloc(g->n_rules, sizeof *m.memory)};
    Item start = grammar_start();
    Bindings none = bindings_none();
    GrammarMeasure result = measure_choice(&m, &start, &none);
    free(m.memory);
    return result;
}
