/* The built-in corpus: short stories in a small language whose entropy is known.
 *
 * One story per line, of 4 to 6 sentences and 80 to 166 bytes. Each ends with a
 * question whose answer stands in the story, so a model has to remember it over the
 * sentences in between:
 *
 *     Anna puts a small key in the drawer. Then Ben is happy. ...
 *     Where is the key? In the drawer.
 *
 * The stories come from a grammar (the table in corpus.c). It tells us what no ordinary
 * text can: the entropy. No model can have an expected loss below
 * corpus_floor().nats_per_byte, and one that knows the language comes near. The floor
 * holds for a model that sees each story from its first byte. Behind a context window
 * that starts in the middle of a story the loss must be higher: what was cut off cannot
 * be remembered. */
#ifndef TEXT_CORPUS_H
#define TEXT_CORPUS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    char *text; /* `bytes` bytes and a NUL; the caller frees it */
    size_t bytes;
    size_t stories;
    /* -ln p of this very text, in nats: the floor of the summed loss on it */
    double nll;
} CorpusText;

/* Whole stories, the same for the same seed on every machine, until there are at least
 * min_bytes. Take another seed for validation: two texts of a few megabytes have hardly
 * a story in common. */
CorpusText corpus_generate(uint64_t seed, size_t min_bytes);

typedef struct {
    double nats_per_story;  /* the entropy of a story */
    double bytes_per_story; /* its expected length, with the newline */
    double nats_per_byte;   /* their ratio: the entropy rate of an endless text of
                               independent stories */
} CorpusFloor;

/* Exact: summed over the grammar, not sampled. */
CorpusFloor corpus_floor(void);

typedef struct {
    size_t stories;     /* complete lines */
    size_t grammatical; /* those the grammar can produce, with any answer */
    size_t right;       /* the grammatical ones that answer right */
    double nll;         /* -ln p of the right ones, summed */
} CorpusGrade;

/* Judges a text, such as one that a model wrote. Text behind the last newline is left
 * out. */
CorpusGrade corpus_grade(const char *text, size_t bytes);

#endif
