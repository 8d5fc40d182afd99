/* Opening GGUF files: see gguf.h. */
#include "checkpoints/gguf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "checkpoints/element.h"
#include "checkpoints/gguf_types.h"
#include "files/mapped_file.h"
#include "base/memory.h"
#include "base/unicode.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "GGUF files are little-endian and this reader maps them as they are"
#endif

enum { MOST_OF_A_NAME = 99, MAX_ALIGNMENT = 1 << 16 };

/* Bytes of a value of each type; 0: of its own length. */
static const size_t value_bytes[GGUF_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

static Printable name_of(const char *name) {
    return printable(name, MOST_OF_A_NAME);
}

void gguf_die(const Gguf *file, const GgufTensor *tensor, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    die("file '%s': tensor '%s': %s", file->path, name_of(tensor->name).text, text);
}

bool gguf_is_file(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    FILE *f = fopen(path, "rb");
    char start[sizeof gguf_magic];
    bool is = f && fread(start, sizeof start, 1, f) == 1 &&
              memcmp(start, gguf_magic, sizeof start) == 0;
    if (f) fclose(f);
    return is;
}

/* --- a place in the file, and the bytes left behind it --- */

typedef struct {
    const char *path, *at, *end;
} Cursor;

static const char *take(Cursor *c, size_t bytes, const char *what) {
    if ((size_t)(c->end - c->at) < bytes)
        die("file '%s': ends in %s (cut short?): %zu bytes expected, %td are left",
            c->path, what, bytes, c->end - c->at);
    c->at += bytes;
    return c->at - bytes;
}

static uint32_t take_u32(Cursor *c, const char *what) {
    uint32_t value;
    memcpy(&value, take(c, sizeof value, what), sizeof value);
    return value;
}

static size_t take_u64(Cursor *c, const char *what) {
    uint64_t value;
    memcpy(&value, take(c, sizeof value, what), sizeof value);
    if (value > SIZE_MAX / 2)
        die("file '%s': %s is %llu", c->path, what, (unsigned long long)value);
    return (size_t)value;
}

static GgufText take_text(Cursor *c, const char *what) {
    size_t bytes = take_u64(c, what);
    return (GgufText){take(c, bytes, what), bytes};
}

/* A key or a tensor's name, with a NUL. */
static char *take_name(Cursor *c, const char *what) {
    GgufText text = take_text(c, what);
    if (text.bytes == 0 || text.bytes > 65535 || memchr(text.text, '\0', text.bytes))
        die("file '%s': %s has %zu bytes, expected 1 to 65535 without a zero", c->path,
            what, text.bytes);
    char *name = checked_alloc(text.bytes + 1, 1);
    memcpy(name, text.text, text.bytes);
    return name;
}

/* A count of entries of at least so many bytes each: more than fit the file are refused
 * before any memory. */
static size_t take_count(Cursor *c, size_t entry_bytes, const char *what) {
    size_t n = take_u64(c, what), most = (size_t)(c->end - c->at) / entry_bytes;
    if (n > most)
        die("file '%s': %s is %zu, but at most %zu fit the file", c->path, what, n,
            most);
    return n;
}

/* --- pairs --- */

static void skip_values(Cursor *c, const GgufPair *pair, uint32_t type, size_t n) {
    if (type == GGUF_ARRAY)
        die("file '%s': key '%s': is an array of arrays, expected one of numbers or "
            "texts",
            c->path, name_of(pair->key).text);
    if (type >= GGUF_TYPES)
        die("file '%s': key '%s': its type is %u", c->path, name_of(pair->key).text,
            type);
    if (type != GGUF_TEXT) {
        if (n > (size_t)(c->end - c->at) / value_bytes[type])
            die("file '%s': key '%s': %zu values do not fit the file", c->path,
                name_of(pair->key).text, n);
        take(c, n * value_bytes[type], "a value");
        return;
    }
    for (size_t i = 0; i < n; i++) take_text(c, "a text");
}

static GgufPair take_pair(Cursor *c) {
    GgufPair pair = {.key = take_name(c, "a key"), .n = 1};
    pair.type = pair.item_type = take_u32(c, "a type");
    if (pair.type == GGUF_ARRAY) {
        pair.item_type = take_u32(c, "a type");
        pair.n = take_u64(c, "an array's length");
    }
    pair.data = c->at;
    skip_values(c, &pair, pair.item_type, pair.n);
    pair.end = c->at;
    return pair;
}

static const GgufPair *find_pair(const Gguf *file, const char *key) {
    for (size_t i = 0; i < file->n_pairs; i++) {
        if (strcmp(file->pairs[i].key, key) == 0) return &file->pairs[i];
    }
    return NULL;
}

static _Noreturn void die_pair(const Gguf *file, const char *key, const char *problem) {
    die("file '%s': key '%s': %s", file->path, key, problem);
}

/* The integer or float of a pair. */
static double pair_number(const Gguf *file, const GgufPair *p, bool whole) {
    Element v;
    if (p->type < GGUF_TYPES && value_bytes[p->type])
        memcpy(&v, p->data, value_bytes[p->type]);
    switch (p->type) {
    case GGUF_U8:
        return v.u8;
    case GGUF_I8:
        return v.i8;
    case GGUF_U16:
        return v.u16;
    case GGUF_I16:
        return v.i16;
    case GGUF_U32:
        return v.u32;
    case GGUF_I32:
        return v.i32;
    case GGUF_U64:
        return (double)v.u64;
    case GGUF_I64:
        return (double)v.i64;
    case GGUF_F32:
        if (!whole) return (double)v.f32;
        break;
    case GGUF_F64:
        if (!whole) return v.f64;
        break;
    default:
        break;
    }
    die_pair(file, p->key, whole ? "is not a whole number" : "is not a number");
}

static double ranged(const Gguf *file, const char *key, bool whole, double min,
                     double max) {
    const GgufPair *p = find_pair(file, key);
    if (!p) die_pair(file, key, "is missing");
    double value = pair_number(file, p, whole);
    if (!(value >= min && value <= max))
        die("file '%s': key '%s': is %g, expected %g to %g", file->path, key, value,
            min, max);
    return value;
}

bool gguf_has(const Gguf *file, const char *key) {
    return find_pair(file, key) != NULL;
}

size_t gguf_size(const Gguf *file, const char *key, size_t min, size_t max) {
    return (size_t)ranged(file, key, true, (double)min, (double)max);
}

double gguf_number(const Gguf *file, const char *key, double min, double max) {
    return ranged(file, key, false, min, max);
}

GgufText *gguf_texts(const Gguf *file, const char *key, size_t *n) {
    const GgufPair *p = find_pair(file, key);
    *n = 0;
    if (!p) return NULL;
    if (p->item_type != GGUF_TEXT) die_pair(file, key, "holds no texts");
    GgufText *texts = checked_alloc(p->n, sizeof *texts);
    Cursor c = {file->path, p->data, p->end};
    for (size_t i = 0; i < p->n; i++) texts[i] = take_text(&c, "a text");
    *n = p->n;
    return texts;
}

GgufText gguf_text(const Gguf *file, const char *key) {
    size_t n;
    GgufText *texts = gguf_texts(file, key, &n), text = {0};
    if (texts && n != 1) die_pair(file, key, "is not one text");
    if (texts) text = texts[0];
    free(texts);
    return text;
}

bool gguf_text_is(GgufText text, const char *expected) {
    return text.bytes == strlen(expected) &&
           memcmp(text.text, expected, text.bytes) == 0;
}

int32_t *gguf_ints(const Gguf *file, const char *key, size_t *n) {
    const GgufPair *p = find_pair(file, key);
    *n = 0;
    if (!p) return NULL;
    size_t bytes = p->item_type < GGUF_TYPES ? value_bytes[p->item_type] : 0;
    if (!bytes) die_pair(file, key, "holds no integers");
    int32_t *values = checked_alloc(p->n, sizeof *values);
    for (size_t i = 0; i < p->n; i++) {
        GgufPair item = {
            .key = p->key, .type = p->item_type, .data = p->data + i * bytes};
        double value = pair_number(file, &item, true);
        if (!(value >= INT32_MIN && value <= INT32_MAX))
            die_pair(file, key, "holds more than 32-bit integers");
        values[i] = (int32_t)value;
    }
    *n = p->n;
    return values;
}

bool gguf_flag(const Gguf *file, const char *key, bool fallback) {
    const GgufPair *p = find_pair(file, key);
    if (p && p->type != GGUF_BOOL) die_pair(file, key, "is neither true nor false");
    return p ? *p->data != 0 : fallback;
}

/* --- tensors --- */

/* Reads an entry of the list; its data begin where those before it ended, at a multiple
 * of the alignment. */
static GgufTensor take_tensor(Gguf *file, Cursor *c, size_t alignment, size_t *offset) {
    GgufTensor t = {.name = take_name(c, "a tensor's name"), .size = 1};
    uint32_t ndim = take_u32(c, "a number of axes");
    if (ndim < 1 || ndim > GGUF_MAX_NDIM)
        gguf_die(file, &t, "has %u axes, expected 1 to %d", ndim, GGUF_MAX_NDIM);
    t.ndim = (int)ndim;
    for (int i = t.ndim - 1; i >= 0; i--) {
        t.shape[i] = take_u64(c, "a length");
        if (t.shape[i] == 0 || t.size > SIZE_MAX / 8 / t.shape[i])
            gguf_die(file, &t, "axis %d is %zu", i, t.shape[i]);
        t.size *= t.shape[i];
    }
    uint32_t number = take_u32(c, "a type");
    for (size_t i = 0; i < GGUF_TENSOR_TYPES; i++) {
        if (gguf_tensor_types[i].number == number) t.type = gguf_tensor_types[i].type;
    }
    if (!t.type)
        gguf_die(file, &t,
                 "its type is %u, expected F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, "
                 "Q5_1, Q4_K or Q6_K",
                 number);
    if (t.shape[t.ndim - 1] % t.type->block)
        gguf_die(file, &t, "has rows of %zu, expected a multiple of %zu for %s",
                 t.shape[t.ndim - 1], t.type->block, t.type->name);
    size_t at = take_u64(c, "an offset");
    if (at != *offset)
        gguf_die(file, &t, "its data begin at byte %zu, expected %zu", at, *offset);
    Weight w = gguf_weight(&t);
    if (__builtin_add_overflow(*offset, weight_bytes(&w) + alignment - 1, offset))
        gguf_die(file, &t, "is too large");
    *offset -= *offset % alignment;
    return t;
}

static size_t padding(const Gguf *file, const char *at, size_t alignment) {
    size_t past = (size_t)(at - (const char *)file->map) % alignment;
    return past ? alignment - past : 0;
}

/* The numbers themselves: t->data. */
static void place_tensors(Gguf *file, Cursor *c, size_t alignment) {
    if (file->n_tensors == 0) return;
    take(c, padding(file, c->at, alignment), "the padding in front of the data");
    size_t left = (size_t)(c->end - c->at), offset = 0;
    for (size_t i = 0; i < file->n_tensors; i++) {
        GgufTensor *t = &file->tensors[i];
        Weight w = gguf_weight(t);
        size_t bytes = weight_bytes(&w);
        if (offset > left || bytes > left - offset)
            gguf_die(file, t,
                     "its data end at byte %zu, but the file has only %zu bytes of "
                     "data (cut short?)",
                     offset + bytes, left);
        t->data = c->at + offset;
        offset += bytes;
        offset += padding(file, c->at + offset, alignment);
    }
    if (left > offset)
        die("file '%s': has %zu bytes behind its last tensor", file->path,
            left - offset);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ends the program at the first of n names that is there twice. */
static void expect_different(const Gguf *file, const char *what, char **names,
                             size_t n) {
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0)
            die("file '%s': %s '%s': is there twice", file->path, what,
                name_of(names[i]).text);
    }
}

static void expect_unique(const Gguf *file) {
    char **names = checked_alloc(file->n_pairs + file->n_tensors, sizeof *names);
    for (size_t i = 0; i < file->n_pairs; i++) names[i] = file->pairs[i].key;
    expect_different(file, "key", names, file->n_pairs);
    for (size_t i = 0; i < file->n_tensors; i++) names[i] = file->tensors[i].name;
    expect_different(file, "tensor", names, file->n_tensors);
    free(names);
}

static void expect_whole(const Gguf *file) {
    size_t parts = 1, part = 0;
    if (gguf_has(file, "split.count"))
        parts = gguf_size(file, "split.count", 0, UINT16_MAX);
    if (gguf_has(file, "split.no")) part = gguf_size(file, "split.no", 0, UINT16_MAX);
    if (parts > 1)
        die("file '%s': is part %zu of %zu of a split GGUF file, expected a whole one "
            "(llama-gguf-split --merge joins them)",
            file->path, part + 1, parts);
}

Gguf *gguf_open(const char *path) {
    Gguf *file = checked_alloc(1, sizeof *file);
    file->path = checked_strdup(path);
    file->map = file_map(file->path, "a GGUF file", &file->map_bytes);
    Cursor c = {file->path, file->map, (const char *)file->map + file->map_bytes};
    if (memcmp(take(&c, 4, "its header"), gguf_magic, 4) != 0)
        die("file '%s': is not a GGUF file", path);
    uint32_t version = take_u32(&c, "its header");
    if (version == 2u << 24 || version == 3u << 24)
        die("file '%s': is a big-endian GGUF file, expected little-endian", path);
    /* 2 and 3 differ only in files of big-endian machines */
    if (version != 2 && version != GGUF_VERSION)
        die("file '%s': is GGUF version %u, expected 2 or %d", path, version,
            GGUF_VERSION);
    enum { LEAST_TENSOR = 8 + 1 + 4 + 8 + 4 + 8, LEAST_PAIR = 8 + 1 + 4 + 1 };
    size_t n_tensors = take_count(&c, LEAST_TENSOR, "the number of tensors");
    size_t n_pairs = take_count(&c, LEAST_PAIR, "the number of keys");
    file->pairs = checked_alloc(n_pairs, sizeof *file->pairs);
    while (file->n_pairs < n_pairs) file->pairs[file->n_pairs++] = take_pair(&c);
    expect_whole(file);
    size_t alignment = GGUF_ALIGNMENT, offset = 0;
    if (find_pair(file, "general.alignment"))
        alignment = gguf_size(file, "general.alignment", 8, MAX_ALIGNMENT);
    if (alignment & (alignment - 1))
        die_pair(file, "general.alignment", "is not a power of two");
    file->tensors = checked_alloc(n_tensors, sizeof *file->tensors);
    while (file->n_tensors < n_tensors)
        file->tensors[file->n_tensors++] = take_tensor(file, &c, alignment, &offset);
    expect_unique(file);
    place_tensors(file, &c, alignment);
    return file;
}

void gguf_close(Gguf *file) {
    if (!file) return;
    for (size_t i = 0; i < file->n_pairs; i++) free(file->pairs[i].key);
    for (size_t i = 0; i < file->n_tensors; i++) free(file->tensors[i].name);
    file_unmap(file->map, file->map_bytes);
    free(file->pairs);
    free(file->tensors);
    free(file->path);
    free(file);
}

const GgufTensor *gguf_find(const Gguf *file, const char *name) {
    for (size_t i = 0; i < file->n_tensors; i++) {
        if (strcmp(file->tensors[i].name, name) == 0) return &file->tensors[i];
    }
    return NULL;
}

Weight gguf_weight(const GgufTensor *t) {
    size_t cols = t->shape[t->ndim - 1];
    return (Weight){
        .type = t->type, .data = t->data, .rows = t->size / cols, .cols = cols};
}
