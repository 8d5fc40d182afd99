/* GGUF: llama.cpp's file format for models, read and written.
 *
 * A file is a header (magic "GGUF", version, counts), key-value pairs of a few types,
 * the list of tensors (name, shape, type, offset), and their data, each at a multiple
 * of the alignment. Numbers are little-endian. The reader maps the file and validates
 * it: every size is checked, and a bad file ends the program with one line that names
 * the file and the key or tensor. Format: ggml-org/ggml, docs/gguf.md. */
#ifndef CHECKPOINTS_GGUF_H
#define CHECKPOINTS_GGUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weights/weight.h"

enum { GGUF_MAX_NDIM = 4 };

/* A text in the mapped file, without a NUL behind it. */
typedef struct {
    const char *text;
    size_t bytes;
} GgufText;

typedef struct {
    char *name;
    const WeightType *type; /* F32, F16, BF16 or one of weight_blocks.h */
    int ndim;
    size_t shape[GGUF_MAX_NDIM]; /* the last axis is contiguous, as everywhere here;
                                    files list it first */
    size_t size;                 /* elements, at least 1 */
    const void *data;
} GgufTensor;

typedef struct {
    char *key;
    uint32_t type, item_type; /* of an array: the type of its items */
    size_t n;                 /* items of an array, else 1 */
    const char *data, *end;
} GgufPair;

typedef struct {
    char *path;
    size_t n_pairs, n_tensors;
    GgufPair *pairs;
    GgufTensor *tensors; /* in the order of the file */
    void *map;
    size_t map_bytes;
} Gguf;

/* Whether `path` is a file on the disk that begins with GGUF's magic; any other path is
 * no error. */
bool gguf_is_file(const char *path);

/* Maps the file (mapped_file.h) and checks all of it but the tensors' numbers. */
Gguf *gguf_open(const char *path);
void gguf_close(Gguf *file);

/* The tensor of that name, or NULL; its data as a matrix, of one row where it has one
 * axis. */
const GgufTensor *gguf_find(const Gguf *file, const char *name);
Weight gguf_weight(const GgufTensor *tensor);

/* Ends the program with "file 'x': tensor 'y': message", for loaders. */
_Noreturn void gguf_die(const Gguf *file, const GgufTensor *tensor, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

/* The value of a key. One that is absent, of the wrong type or out of range ends the
 * program; a text may be absent, then `bytes` is 0 and `text` is NULL. */
bool gguf_has(const Gguf *file, const char *key);
size_t gguf_size(const Gguf *file, const char *key, size_t min, size_t max);
double gguf_number(const Gguf *file, const char *key, double min, double max);
GgufText gguf_text(const Gguf *file, const char *key);

/* Whether the text is `expected`. */
bool gguf_text_is(GgufText text, const char *expected);

/* The texts of an array in new memory, *n of them; NULL where the key is absent. */
GgufText *gguf_texts(const Gguf *file, const char *key, size_t *n);

/* The 32-bit integers of an array in the same way, and a flag. */
int32_t *gguf_ints(const Gguf *file, const char *key, size_t *n);
bool gguf_flag(const Gguf *file, const char *key, bool fallback);

/* A file being put together; nothing is on the disk until gguf_commit, which replaces
 * `path` in one moment (file.h). Pairs come first. Of tensors only the pointers are
 * kept: the data must stay until the commit. */
typedef struct GgufWriter GgufWriter;

/* Whether a tensor in a file can be of this type. */
bool gguf_has_type(const WeightType *type);

GgufWriter *gguf_begin(const char *path);
void gguf_put_text(GgufWriter *w, const char *key, const char *text);
void gguf_put_size(GgufWriter *w, const char *key, size_t value);
void gguf_put_flag(GgufWriter *w, const char *key, bool value);
void gguf_put_number(GgufWriter *w, const char *key, float value);
void gguf_put_texts(GgufWriter *w, const char *key, const GgufText *texts, size_t n);
void gguf_put_ints(GgufWriter *w, const char *key, const int32_t *values, size_t n);

/* A matrix as it is stored (transposed or not), or with ndim 1 a vector of one row.
 * Ends the program for a type that the format has not. */
void gguf_add(GgufWriter *w, const char *name, int ndim, const Weight *weight);
void gguf_commit(GgufWriter *w);

#endif
