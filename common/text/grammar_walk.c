/* Writing and reading texts are one walk through the rules, led by random numbers or by
 * the text. */
#include "text/grammar_table.h"

#include "base/error.h"
#include "math/fmath.h"

Bindings bindings_none(void) {
    Bindings b;
    for (size_t v = 0; v < MAX_VARIABLES; v++) b.word[v] = UNBOUND;
    return b;
}

Item grammar_start(void) {
    return (Item){.kind = ITEM_CHOICE, .rule = 0, .variable = UNBOUND};
}

bool choice_allows(const Item *choice, const Bindings *b, size_t k) {
    for (uint32_t left = choice->except; left != 0; left &= left - 1)
        if (b->word[__builtin_ctz(left)] == (int)k) return false;
    return true;
}

double choice_weight(const Grammar *g, const Item *choice, const Bindings *b) {
    const Rule *rule = &g->rules[choice->rule];
    double sum = 0;
    for (size_t k = 0; k < rule->n_alternatives; k++)
        if (choice_allows(choice, b, k)) sum += rule->alternatives[k].weight;
    if (sum <= 0)
        die("grammar rule '%s': the exclusions leave nothing to choose from",
            rule->name);
    return sum;
}

Span item_text(const Grammar *g, const Item *item, const Bindings *b) {
    if (item->kind == ITEM_TEXT) return item->text;
    const Rule *rule = &g->rules[g->variable_rule[item->variable]];
    return rule->alternatives[b->word[item->variable]].forms[item->form];
}

char item_byte(const Item *item, Span text, size_t i) {
    char c = text.bytes[i];
    return item->capital && i == 0 && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool item_opens(const Item *item) {
    return item->kind != ITEM_CHOICE && !item->answer;
}

typedef struct {
    const Grammar *g;
    Random *random;   /* NULL: reading */
    char *out;        /* writing */
    const char *text; /* reading */
    size_t bytes;     /* the capacity of `out`, or the length of `text` */
    size_t at;
    bool failed;
    size_t answers, right;
    double nll;
} Walk;

static bool stands_at(const Walk *w, size_t at, const Item *item, Span text) {
    if (text.length > w->bytes - at) return false;
    for (size_t i = 0; i < text.length; i++)
        if (w->text[at + i] != item_byte(item, text, i)) return false;
    return true;
}

static void walk_text(Walk *w, const Item *item, Span text) {
    if (!w->random) w->failed = !stands_at(w, w->at, item, text);
    for (size_t i = 0; w->random && i < text.length && w->at + i < w->bytes; i++)
        w->out[w->at + i] = item_byte(item, text, i);
    w->at += text.length;
}

/* Reading an answer: the right one if it stands there, else any other word in its
 * place. */
static Span find_answer(Walk *w, const Item *item, const Bindings *b) {
    Span answer = item_text(w->g, item, b);
    w->answers++;
    if (stands_at(w, w->at, item, answer)) {
        w->right++;
        return answer;
    }
    w->nll = INFINITY;
    Bindings other = *b;
    size_t n = w->g->rules[w->g->variable_rule[item->variable]].n_alternatives;
    for (size_t k = 0; k < n; k++) {
        other.word[item->variable] = (int8_t)k;
        Span wrong = item_text(w->g, item, &other);
        if (stands_at(w, w->at, item, wrong)) return wrong;
    }
    return answer;
}

static size_t choose_by_lot(const Walk *w, const Item *choice, const Bindings *b,
                            double total) {
    const Rule *rule = &w->g->rules[choice->rule];
    double left = random_double(w->random) * total;
    size_t chosen = 0;
    for (size_t k = 0; k < rule->n_alternatives && left >= 0; k++) {
        if (!choice_allows(choice, b, k)) continue;
        chosen = k;
        left -= rule->alternatives[k].weight;
    }
    return chosen;
}

/* The alternative whose opening stands in the text. Openings are no prefixes of each
 * other, so there is at most one; n_alternatives says that there is none. */
static size_t choose_by_text(const Walk *w, const Item *choice, const Bindings *b) {
    const Rule *rule = &w->g->rules[choice->rule];
    size_t k = 0;
    for (bool found = false; k < rule->n_alternatives; k++) {
        const Alternative *a = &rule->alternatives[k];
        size_t at = w->at;
        found = choice_allows(choice, b, k);
        for (size_t i = 0; found && i < a->n_items && item_opens(&a->items[i]); i++) {
            Span text = item_text(w->g, &a->items[i], b);
            found = stands_at(w, at, &a->items[i], text);
            at += text.length;
        }
        if (found) break;
    }
    return k;
}

static void walk_choice(Walk *w, const Item *choice, Bindings *b) {
    const Rule *rule = &w->g->rules[choice->rule];
    double total = choice_weight(w->g, choice, b);
    size_t k =
        w->random ? choose_by_lot(w, choice, b, total) : choose_by_text(w, choice, b);
    w->failed = k == rule->n_alternatives;
    if (w->failed) return;
    const Alternative *a = &rule->alternatives[k];
    w->nll -= log_double(a->weight / total);
    Bindings inner = *b;
    for (size_t i = 0; i < a->n_items && !w->failed; i++) {
        const Item *item = &a->items[i];
        if (item->kind == ITEM_CHOICE)
            walk_choice(w, item, &inner);
        else
            walk_text(w, item,
                      item->answer && !w->random ? find_answer(w, item, &inner)
                                                 : item_text(w->g, item, &inner));
    }
    if (choice->variable != UNBOUND) b->word[choice->variable] = (int8_t)k;
}

size_t grammar_write(const Grammar *g, Random *random, char *out, size_t capacity,
                     double *nll) {
    Walk w = {.g = g, .random = random, .out = out, .bytes = capacity};
    Item start = grammar_start();
    Bindings none = bindings_none();
    walk_choice(&w, &start, &none);
    *nll += w.nll;
    return w.at;
}

GrammarReading grammar_read(const Grammar *g, const char *text, size_t bytes) {
    Walk w = {.g = g, .text = text, .bytes = bytes};
    Item start = grammar_start();
    Bindings none = bindings_none();
    walk_choice(&w, &start, &none);
    bool whole = !w.failed && w.at == bytes;
    return (GrammarReading){.grammatical = whole,
                            .answers = w.answers,
                            .right = w.right,
                            .nll = whole ? w.nll : INFINITY};
}
