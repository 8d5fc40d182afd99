/* Writing safetensors files: see safetensors.h. */
#include "checkpoints/safetensors.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "checkpoints/safetensors_checksum.h"

typedef struct {
    char *name;
    Dtype dtype;
    int ndim;
    size_t shape[SAFETENSORS_MAX_NDIM];
    size_t bytes;
    const void *data;
} Entry;

struct SafetensorsWriter {
    char *path;
    Entry *entries;
    size_t count, capacity;
    cJSON *metadata;
};

SafetensorsWriter *safetensors_begin(const char *path) {
    SafetensorsWriter *w = checked_alloc(1, sizeof *w);
    w->path = checked_strdup(path);
    w->metadata = cJSON_CreateObject();
    safetensors_add_metadata(w, SAFETENSORS_CHECKSUM_KEY, SAFETENSORS_CHECKSUM_ZERO);
    return w;
}

void safetensors_add(SafetensorsWriter *w, const char *name, Dtype dtype, int ndim,
                     const size_t *shape, const void *data) {
    if (strcmp(name, "__metadata__") == 0)
        die("file '%s': a tensor cannot be called __metadata__", w->path);
    if (ndim < 0 || ndim > SAFETENSORS_MAX_NDIM)
        die("file '%s': tensor '%s': %d axes, expected 0 to %d", w->path, name, ndim,
            SAFETENSORS_MAX_NDIM);
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->entries[i].name, name) == 0)
            die("file '%s': tensor '%s': added twice", w->path, name);
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 16;
        w->entries = checked_realloc(w->entries, w->capacity, sizeof *w->entries);
    }
    Entry entry = {
        .name = checked_strdup(name), .dtype = dtype, .ndim = ndim, .data = data};
    entry.bytes = dtype_bytes(dtype);
    for (int i = 0; i < ndim; i++) {
        entry.shape[i] = shape[i];
        entry.bytes = size_mul(entry.bytes, shape[i]);
    }
    w->entries[w->count++] = entry;
}

void safetensors_add_metadata(SafetensorsWriter *w, const char *key,
                              const char *value) {
    if (cJSON_GetObjectItemCaseSensitive(w->metadata, key))
        die("file '%s': metadata '%s': added twice", w->path, key);
    cJSON_AddStringToObject(w->metadata, key, value);
}

/* Larger elements first; qsort need not be stable,
 * so the order of adding (the address) decides among equals. */
static int compare_alignment(const void *a, const void *b) {
    const Entry *s = *(Entry *const *)a, *t = *(Entry *const *)b;
    size_t s_bytes = dtype_bytes(s->dtype), t_bytes = dtype_bytes(t->dtype);
    if (s_bytes != t_bytes) return s_bytes > t_bytes ? -1 : 1;
    return s < t ? -1 : s > t;
}

/* The header as text; the caller frees it. cJSON prints integers below 10^15 with all
 * their digits. */
static char *header_text(SafetensorsWriter *w, Entry *const *order) {
    cJSON *header = cJSON_CreateObject();
    cJSON_AddItemToObject(header, "__metadata__", w->metadata);
    size_t begin = 0;
    for (size_t i = 0; i < w->count; i++) {
        const Entry *e = order[i];
        cJSON *tensor = cJSON_AddObjectToObject(header, e->name);
        cJSON_AddStringToObject(tensor, "dtype", dtype_name(e->dtype));
        cJSON *shape = cJSON_AddArrayToObject(tensor, "shape");
        for (int k = 0; k < e->ndim; k++)
            cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)e->shape[k]));
        cJSON *offsets = cJSON_AddArrayToObject(tensor, "data_offsets");
        cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)begin));
        begin += e->bytes;
        cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)begin));
    }
    char *text = cJSON_PrintUnformatted(header);
    cJSON_Delete(header);
    return text;
}

/* The header's length, the header, blanks up to a multiple of 8: what stands in front
 * of the data. */
static char *file_start(SafetensorsWriter *w, Entry *const *order, size_t *bytes) {
    char *header = header_text(w, order);
    size_t text_bytes = strlen(header);
    uint64_t header_bytes = (text_bytes + 7) / 8 * 8;
    *bytes = (size_t)(sizeof header_bytes + header_bytes);
    char *start = checked_alloc(*bytes, 1);
    memcpy(start, &header_bytes, sizeof header_bytes);
    memset(start + sizeof header_bytes, ' ', (size_t)header_bytes);
    memcpy(start + sizeof header_bytes, header, text_bytes);
    cJSON_free(header);
    return start;
}

/* In the place of the zeros: the checksum of all, with the zeros. */
static void put_checksum(char *start, size_t start_bytes, Entry *const *order,
                         size_t count) {
    Checksum sum = checksum_begin();
    checksum_add(&sum, start, start_bytes);
    for (size_t i = 0; i < count; i++)
        checksum_add(&sum, order[i]->data, order[i]->bytes);
    char text[CHECKSUM_TEXT];
    checksum_end(&sum, text);
    memcpy(start + SAFETENSORS_CHECKSUM_AT, text, strlen(text));
}

void safetensors_write(SafetensorsWriter *w, FileWriter *out) {
    Entry **order = checked_alloc(w->count, sizeof *order);
    for (size_t i = 0; i < w->count; i++) order[i] = &w->entries[i];
    qsort(order, w->count, sizeof *order, compare_alignment);
    size_t start_bytes;
    char *start = file_start(w, order, &start_bytes);
    put_checksum(start, start_bytes, order, w->count);

    file_write(out, start, start_bytes);
    for (size_t i = 0; i < w->count; i++)
        if (order[i]->bytes) file_write(out, order[i]->data, order[i]->bytes);

    free(start);
    free(order);
    for (size_t i = 0; i < w->count; i++) free(w->entries[i].name);
    free(w->entries);
    free(w->path);
    free(w);
}

void safetensors_commit(SafetensorsWriter *w) {
    FileWriter out = file_begin(w->path);
    safetensors_write(w, &out);
    file_commit(&out);
}
