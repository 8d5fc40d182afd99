/* Normalization form C: see nfc.h. */
#include "18-llama/nfc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "18-llama/unicode_pairs.h"
#include "18-llama/unicode_ranges.h"
#include "base/memory.h"
#include "base/unicode.h"

#define COUNT(array) (sizeof array / sizeof *array)

/* Everything below stands for itself and composes with nothing in front of it. */
enum { FIRST_MARK = 0x300 };

/* Hangul syllables are composed by arithmetic (The Unicode Standard, section 3.12). */
enum {
    SYLLABLES = 0xac00,
    LEADS = 0x1100,
    VOWELS = 0x1161,
    TAILS = 0x11a7,
    N_LEADS = 19,
    N_VOWELS = 21,
    N_TAILS = 28,
    N_SYLLABLES = N_LEADS * N_VOWELS * N_TAILS
};

/* A stretch of text as characters. */
typedef struct {
    struct Point {
        uint32_t code;
        int class;
        size_t place;
    } * items;
    size_t n, capacity;
} Points;

/* The class of a character in a table of ranges; 0 for none. */
static int class_in(const UnicodeRange *ranges, size_t n, uint32_t code) {
    size_t low = 0;
    while (n > low) {
        size_t middle = low + (n - low) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            n = middle;
        else
            return ranges[middle].class;
    }
    return 0;
}

int number_length(const char *text, size_t n) {
    unsigned char first = (unsigned char)*text;
    if (first < 0x80) return first >= '0' && first <= '9';
    int length = utf8_length(text, n);
    if (length <= 0) return 0;
    uint32_t code = utf8_code_point(text, length);
    return class_in(unicode_numbers, COUNT(unicode_numbers), code) ? length : 0;
}

/* --- apart --- */

static void add_point(Points *p, uint32_t code) {
    if (p->n == p->capacity) {
        p->capacity = 2 * p->capacity + 64;
        p->items = checked_realloc(p->items, p->capacity, sizeof *p->items);
    }
    int class = class_in(unicode_classes, COUNT(unicode_classes), code);
    p->items[p->n] = (struct Point){code, class, p->n};
    p->n++;
}

static const UnicodePair *find_pair(uint32_t code) {
    size_t low = 0, high = COUNT(unicode_pairs);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unicode_pairs[middle].code == code) return &unicode_pairs[middle];
        if (unicode_pairs[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* What one character is canonically where that is one other; else itself. */
static uint32_t other_of(uint32_t code) {
    for (size_t i = 0; i < COUNT(unicode_singles); i++) {
        uint32_t place = code - unicode_singles[i].code; /* huge where code is less */
        if (place < (uint32_t)unicode_singles[i].n)
            return unicode_others[(uint32_t)unicode_singles[i].at + place];
    }
    return code;
}

static void add_decomposed(Points *p, uint32_t code) {
    uint32_t syllable = code - SYLLABLES;
    if (syllable < N_SYLLABLES) {
        add_point(p, LEADS + syllable / (N_VOWELS * N_TAILS));
        add_point(p, VOWELS + syllable / N_TAILS % N_VOWELS);
        if (syllable % N_TAILS) add_point(p, TAILS + syllable % N_TAILS);
        return;
    }
    uint32_t other = other_of(code);
    const UnicodePair *pair = find_pair(other);
    if (!pair) {
        add_point(p, other);
        return;
    }
    add_decomposed(p, pair->first);
    add_decomposed(p, pair->second);
}

/* --- in order, and together again --- */

static int compare_points(const void *a, const void *b) {
    const struct Point *p = a, *q = b;
    if (p->class != q->class) return p->class < q->class ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

/* Marks behind one another stand in the order of their classes, those of one class as
 * they came. */
static void order(Points *p) {
    for (size_t i = 0, end; i < p->n; i = end) {
        for (end = i + 1; end < p->n && p->items[i].class && p->items[end].class;)
            end++;
        if (end - i > 1) qsort(p->items + i, end - i, sizeof *p->items, compare_points);
    }
}

/* The character that two make, or 0. */
static uint32_t composed(uint32_t first, uint32_t second) {
    if (first - LEADS < N_LEADS && second - VOWELS < N_VOWELS)
        return SYLLABLES + ((first - LEADS) * N_VOWELS + second - VOWELS) * N_TAILS;
    uint32_t syllable = first - SYLLABLES, tail = second - TAILS;
    if (syllable < N_SYLLABLES && syllable % N_TAILS == 0 && tail > 0 && tail < N_TAILS)
        return first + tail;
    size_t low = 0, high = COUNT(unicode_composed);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const UnicodePair *pair = &unicode_pairs[unicode_composed[middle]];
        if (pair->first == first && pair->second == second) return pair->code;
        if (pair->first < first || (pair->first == first && pair->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* A character joins the last one of class 0 unless another of its class, or of class
 * 0, stands between them. */
static void compose(Points *p) {
    size_t starter = SIZE_MAX, kept = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct Point point = p->items[i];
        bool next_to_it = starter != SIZE_MAX && kept == starter + 1;
        bool blocked = starter == SIZE_MAX ||
                       (!next_to_it && p->items[kept - 1].class >= point.class);
        uint32_t both = blocked ? 0 : composed(p->items[starter].code, point.code);
        if (both) {
            p->items[starter].code = both;
            continue;
        }
        if (point.class == 0) starter = kept;
        p->items[kept++] = point;
    }
    p->n = kept;
}

/* --- text --- */

typedef struct {
    char *bytes;
    size_t n, capacity;
} Output;

static char *room(Output *out, size_t n) {
    if (n > out->capacity - out->n) {
        out->capacity = size_mul(out->n + n, 2);
        out->bytes = checked_realloc(out->bytes, out->capacity, 1);
    }
    out->n += n;
    return out->bytes + out->n - n;
}

static void put_bytes(Output *out, const char *bytes, size_t n) {
    if (n) memcpy(room(out, n), bytes, n);
}

static void put_points(Output *out, Points *p) {
    order(p);
    compose(p);
    for (size_t i = 0; i < p->n; i++) {
        char bytes[UTF8_MAX_BYTES];
        put_bytes(out, bytes, (size_t)utf8_encode(bytes, p->items[i].code));
    }
    p->n = 0;
}

/* How many bytes from the start are characters below FIRST_MARK: those that begin with
 * a byte below 0xcc. */
static size_t plain_bytes(const char *text, size_t n) {
    size_t at = 0;
    while (at < n && (unsigned char)text[at] < 0xcc) at++;
    return at;
}

/* Where the last of n bytes of plain characters begins, which have one or two: a mark
 * behind it joins it. */
static size_t last_character(const char *text, size_t n) {
    if (n < 2) return 0;
    return n - (((unsigned char)text[n - 1] & 0xc0) == 0x80 ? 2 : 1);
}

/* Characters up to the next plain one, or to a byte that is none, and how many bytes
 * they have. */
static size_t take_points(Points *p, const char *text, size_t n) {
    size_t at = 0;
    while (at < n) {
        int length = utf8_length(text + at, n - at);
        if (length <= 0) return at;
        uint32_t code = utf8_code_point(text + at, length);
        if (code < FIRST_MARK && at > 0) return at;
        add_decomposed(p, code);
        at += (size_t)length;
    }
    return at;
}

char *nfc(const char *text, size_t n, size_t *bytes) {
    if (plain_bytes(text, n) == n) return NULL;
    Output out = {0};
    Points points = {0};
    for (size_t at = 0; at < n;) {
        size_t plain = plain_bytes(text + at, n - at);
        if (at + plain < n) plain = last_character(text + at, plain);
        put_bytes(&out, text + at, plain);
        at += plain;
        size_t taken = take_points(&points, text + at, n - at);
        put_points(&out, &points);
        if (at < n && taken == 0) put_bytes(&out, text + at, taken = 1);
        at += taken;
    }
    free(points.items);
    *bytes = out.n;
    room(&out, 1)[0] = 0;
    return out.bytes;
}
