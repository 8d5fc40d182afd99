/* Probabilistic grammars of finite languages: write texts, read them back, and know
 * their entropy exactly.
 *
 * A grammar is a table of rules. A rule is a list of alternatives; one is chosen with a
 * probability proportional to its weight. The text of an alternative holds
 *
 *     [person]               an alternative of rule `person`, chosen here
 *     [person:owner]         the same, and the choice is remembered as `owner`
 *     [person:friend!owner]  any person but `owner`; the other weights keep their
 *                            proportions
 *     [person:third!a!b]     any person but these two
 *     {owner}                the word chosen for `owner` again
 *     {owner.she}, {^owner}  another form of it; the word with a capital letter
 *     {owner?}               the word as the answer to a question (see GrammarReading)
 *     3*                     at the start: the weight of the alternative; 1 where
 *                            nothing is said
 *
 * A word may have several forms, which stand side by side: "Anna|she|her" in a rule
 * with the name "person|she|her". Only plain words can be bound to a name. The name is
 * known in the rest of the alternative and in the rules used there, and forgotten at
 * its end.
 *
 * The entropy of a text is that of its derivation if no text has two. So we ask that
 * two alternatives of a rule differ before either of them chooses anything: their
 * openings - the text up to the first choice - must not be prefixes of each other. Then
 * a reader who goes from left to right always knows which alternative was taken.
 * grammar_measure verifies this for every rule with every combination of words that it
 * can meet. */
#ifndef TEXT_GRAMMAR_H
#define TEXT_GRAMMAR_H

#include "math/random.h"

#include <stdbool.h>
#include <stddef.h>

enum { GRAMMAR_ALTERNATIVES = 24 };

typedef struct {
    const char *name; /* "person|she|her": the rule person, whose words have further
                         forms she and her */
    const char *alternatives[GRAMMAR_ALTERNATIVES + 1]; /* ends with NULL */
} GrammarRule;

typedef struct Grammar Grammar;

/* Prepares `n` rules for use; the first one is the start. A rule may use only rules
 * that come after it, so every text is finite. Ends the program with the rule and the
 * mistake when the table is not well formed. The strings of `rules` must outlive the
 * grammar; grammar_free releases it. */
Grammar *grammar_create(const GrammarRule *rules, size_t n);
void grammar_free(Grammar *g);

typedef struct {
    double entropy; /* of one text, in nats: the expectation of -ln p */
    double bytes;   /* the expected length */
} GrammarMeasure;

/* Both numbers are sums over the whole language, not estimates. Ends the program with
 * the rule and the two alternatives when the grammar is not unambiguous in the sense
 * above. */
GrammarMeasure grammar_measure(const Grammar *g);

/* Appends to `out`, at most `capacity` bytes, one text drawn at random. Returns its
 * length, which may exceed the capacity (then only the first part was stored), and adds
 * -ln p of the text to *nll. */
size_t grammar_write(const Grammar *g, Random *random, char *out, size_t capacity,
                     double *nll);

/* The findings of grammar_read. A text with a wrong answer is still read: any word of
 * the right kind may stand where an answer is expected, so that form and memory can be
 * judged apart. */
typedef struct {
    bool grammatical; /* the whole text can be derived, but for its answers */
    /* how many answers the text holds, and how many are the right ones */
    size_t answers;
    size_t right;
    double nll; /* -ln p of the text; infinite if the grammar cannot produce it, answers
                   included */
} GrammarReading;

GrammarReading grammar_read(const Grammar *g, const char *text, size_t bytes);

#endif
