/* The compiled form of a grammar, shared by grammar.c (which makes it), grammar_walk.c
 * (which writes and reads texts) and grammar_measure.c (which sums over all of them).
 * Users of grammars need grammar.h only. */
#ifndef TEXT_GRAMMAR_TABLE_H
#define TEXT_GRAMMAR_TABLE_H

#include "text/grammar.h"

#include <stdint.h>

enum {
    MAX_VARIABLES = 32,
    MAX_FORMS = 6,
    MAX_ITEMS = 24,
    MAX_OPENING = 256,
    UNBOUND = -1
};

typedef struct {
    const char *bytes;
    size_t length;
} Span;

typedef enum { ITEM_TEXT, ITEM_CHOICE, ITEM_RECALL } ItemKind;

typedef struct {
    ItemKind kind;
    Span text;       /* ITEM_TEXT */
    size_t rule;     /* ITEM_CHOICE: which rule, */
    int variable;    /* the name bound to the choice (or UNBOUND); ITEM_RECALL: the name
                        recalled */
    uint32_t except; /* ITEM_CHOICE: the set of names whose words are excluded */
    size_t form;     /* ITEM_RECALL: which form of the word, */
    bool capital, answer; /* and how */
} Item;

typedef struct {
    double weight;
    Span forms[MAX_FORMS]; /* forms[0] is the text itself */
    Item items[MAX_ITEMS];
    size_t n_items;
} Alternative;

typedef struct {
    char *name;
    Span columns[MAX_FORMS]; /* the names of the forms; columns[0] is the name of the
                                rule */
    size_t n_columns;
    Alternative *alternatives;
    size_t n_alternatives;
    uint32_t reads; /* the names, bound outside, that a text of this rule depends on */
} Rule;

struct Grammar {
    Rule *rules;
    size_t n_rules;
    Span variables[MAX_VARIABLES];
    /* a name always stands for words of one rule */
    size_t variable_rule[MAX_VARIABLES];
    size_t n_variables;
};

/* For each name the alternative it is bound to, or UNBOUND. */
typedef struct {
    int8_t word[MAX_VARIABLES];
} Bindings;

Bindings bindings_none(void);

/* The choice that starts every text: an alternative of the first rule. */
Item grammar_start(void);

/* Whether the exclusions of `choice` leave alternative k, and the weight of all
 * alternatives left. */
bool choice_allows(const Item *choice, const Bindings *b, size_t k);
double choice_weight(const Grammar *g, const Item *choice, const Bindings *b);

/* Form `form` of the word that `variable` is bound to; the text of an item that is no
 * choice; its byte i as written. */
Span item_text(const Grammar *g, const Item *item, const Bindings *b);
char item_byte(const Item *item, Span text, size_t i);

/* Whether the item belongs to the opening of its alternative if all before it do:
 * it neither chooses nor answers. */
bool item_opens(const Item *item);

#endif
