/* Text that grows, and text that is cut into lines and words.
 *
 * A Pool owns the strings that are cut out of inputs or put together from them: all
 * live until pool_free. */
#ifndef TESTS_TEXT_H
#define TESTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Piece Piece;

typedef struct {
    Piece *pieces;
} Pool;

/* Cleared bytes. */
void *pool_alloc(Pool *pool, size_t bytes);
/* The bytes from begin to end, and what printf would print, as strings. */
char *pool_cut(Pool *pool, const char *begin, const char *end);
char *pool_format(Pool *pool, const char *format, ...);
void pool_free(Pool *pool);

/* items with room for one more behind the first n, which have item_bytes each. */
void *pool_grown(Pool *pool, void *items, size_t n, size_t item_bytes);

typedef struct {
    char *bytes; /* ends with '\0'; NULL while it is empty */
    size_t n, capacity;
} Text;

void text_add(Text *text, const char *format, ...);
/* The text so far, "" if there is none; the caller frees it. */
char *text_take(Text *text);

/* The next line at *at, without its end, or NULL: a string of the pool. */
char *next_line(Pool *pool, const char **at);
/* The next word at *at, with blanks around it skipped, or NULL. */
char *next_word(Pool *pool, const char **at);
/* text cut at each `between`: how many parts there are, of which at most `most` are
 * kept. */
size_t split(Pool *pool, const char *text, const char *between, const char *parts[],
             size_t most);

bool begins_with(const char *text, const char *start);
bool ends_with(const char *text, const char *end);
/* Where the last `part` of the text begins, or NULL. */
const char *last_of(const char *text, const char *part);
bool same_text(const char *a, const char *b); /* NULL is no text */

/* "suite::test: (0.01s)" -> "test" */
char *test_name(Pool *pool, const char *text);
/* The path as seen from root, where it lies below it. */
const char *below(const char *root, const char *path);

/* Replaces control characters, and those that hide text or change its direction, by
 * "?". */
void make_readable(char *text);

/* text in lines of at most `columns`, broken at blanks, each behind `indent` blanks, at
 * most most_lines: "..." ends what is cut. Returns how many lines were written. */
size_t add_wrapped(Text *to, const char *text, size_t indent, size_t columns,
                   size_t most_lines);

#endif
