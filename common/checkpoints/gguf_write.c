/* Writing GGUF files: see gguf.h. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "files/file.h"
#include "checkpoints/gguf.h"
#include "checkpoints/gguf_types.h"
#include "base/memory.h"

/* Bytes that grow. */
typedef struct {
    char *data;
    size_t n, capacity;
} Bytes;

typedef struct {
    const void *data;
    size_t bytes;
} Chunk;

struct GgufWriter {
    char *path;
    Bytes pairs, tensors;
    size_t n_pairs, n_tensors, offset;
    Chunk *chunks; /* [n_tensors] */
};

static void put(Bytes *b, const void *data, size_t bytes) {
    if (bytes > b->capacity - b->n) {
        b->capacity = 2 * b->capacity + bytes + 256;
        b->data = checked_realloc(b->data, b->capacity, 1);
    }
    if (bytes) memcpy(b->data + b->n, data, bytes);
    b->n += bytes;
}

static void put_u32(Bytes *b, size_t value) {
    put(b, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
}

static void put_u64(Bytes *b, size_t value) {
    put(b, &(uint64_t){value}, sizeof(uint64_t));
}

static void put_text(Bytes *b, const char *text, size_t bytes) {
    put_u64(b, bytes);
    put(b, text, bytes);
}

static void put_key(GgufWriter *w, const char *key, size_t type) {
    put_text(&w->pairs, key, strlen(key));
    put_u32(&w->pairs, type);
    w->n_pairs++;
}

static void put_array(GgufWriter *w, const char *key, size_t type, size_t n) {
    put_key(w, key, GGUF_ARRAY);
    put_u32(&w->pairs, type);
    put_u64(&w->pairs, n);
}

GgufWriter *gguf_begin(const char *path) {
    GgufWriter *w = checked_alloc(1, sizeof *w);
    w->path = checked_strdup(path);
    return w;
}

void gguf_put_text(GgufWriter *w, const char *key, const char *text) {
    put_key(w, key, GGUF_TEXT);
    put_text(&w->pairs, text, strlen(text));
}

void gguf_put_size(GgufWriter *w, const char *key, size_t value) {
    if (value > UINT32_MAX)
        die("file '%s': key '%s': %zu does not fit 32 bits", w->path, key, value);
    put_key(w, key, GGUF_U32);
    put_u32(&w->pairs, value);
}

void gguf_put_flag(GgufWriter *w, const char *key, bool value) {
    put_key(w, key, GGUF_BOOL);
    put(&w->pairs, &(char){value}, 1);
}

void gguf_put_number(GgufWriter *w, const char *key, float value) {
    put_key(w, key, GGUF_F32);
    put(&w->pairs, &value, sizeof value);
}

void gguf_put_texts(GgufWriter *w, const char *key, const GgufText *texts, size_t n) {
    put_array(w, key, GGUF_TEXT, n);
    for (size_t i = 0; i < n; i++) put_text(&w->pairs, texts[i].text, texts[i].bytes);
}

void gguf_put_ints(GgufWriter *w, const char *key, const int32_t *values, size_t n) {
    put_array(w, key, GGUF_I32, n);
    put(&w->pairs, values, n * sizeof *values);
}

static size_t padded(size_t bytes) {
    return (bytes + GGUF_ALIGNMENT - 1) / GGUF_ALIGNMENT * GGUF_ALIGNMENT;
}

/* The place of a type in gguf_tensor_types, GGUF_TENSOR_TYPES for one that is not
 * there. */
static size_t type_index(const WeightType *type) {
    size_t i = 0;
    while (i < GGUF_TENSOR_TYPES && gguf_tensor_types[i].type != type) i++;
    return i;
}

bool gguf_has_type(const WeightType *type) {
    return type_index(type) < GGUF_TENSOR_TYPES;
}

void gguf_add(GgufWriter *w, const char *name, int ndim, const Weight *weight) {
    Weight stored = weight->transposed ? weight_transpose(weight) : *weight;
    size_t i = type_index(stored.type);
    if (i == GGUF_TENSOR_TYPES)
        die("file '%s': tensor '%s': a GGUF file has no weights of type %s", w->path,
            name, stored.type->name);
    put_text(&w->tensors, name, strlen(name));
    put_u32(&w->tensors, (size_t)ndim);
    put_u64(&w->tensors, stored.cols);
    if (ndim == 2) put_u64(&w->tensors, stored.rows);
    put_u32(&w->tensors, gguf_tensor_types[i].number);
    put_u64(&w->tensors, w->offset);
    w->chunks = checked_realloc(w->chunks, w->n_tensors + 1, sizeof *w->chunks);
    w->chunks[w->n_tensors++] = (Chunk){stored.data, weight_bytes(&stored)};
    w->offset += padded(weight_bytes(&stored));
}

/* `bytes`, and zeros up to the alignment. */
static void write_padded(FileWriter *out, const void *data, size_t bytes) {
    static const char zeros[GGUF_ALIGNMENT];
    file_write(out, data, bytes);
    if (padded(bytes) > bytes) file_write(out, zeros, padded(bytes) - bytes);
}

void gguf_commit(GgufWriter *w) {
    Bytes head = {0};
    put(&head, gguf_magic, sizeof gguf_magic);
    put_u32(&head, GGUF_VERSION);
    put_u64(&head, w->n_tensors);
    put_u64(&head, w->n_pairs);
    put(&head, w->pairs.data, w->pairs.n);
    put(&head, w->tensors.data, w->tensors.n);
    FileWriter out = file_begin(w->path);
    write_padded(&out, head.data, head.n);
    for (size_t i = 0; i < w->n_tensors; i++)
        write_padded(&out, w->chunks[i].data, w->chunks[i].bytes);
    file_commit(&out);
    free(head.data);
    free(w->pairs.data);
    free(w->tensors.data);
    free(w->chunks);
    free(w->path);
    free(w);
}
