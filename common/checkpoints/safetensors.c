/* Opening safetensors files: see safetensors.h. Their numbers are converted in
 * safetensors_convert.c, files are written in safetensors_write.c. */
#include "checkpoints/safetensors.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "files/json.h"
#include "files/mapped_file.h"
#include "base/memory.h"
#include "base/unicode.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and this reader maps them as they are"
#endif

/* About 100 bytes per tensor: room for 100 000 tensors, and a bound on the memory for a
 * hostile header. */
static const uint64_t max_header_bytes = 16 << 20;

/* 2^53: from here on JSON numbers skip integers */
static const double exact_integers = 9007199254740992.0;

static const struct {
    const char *name;
    size_t bytes;
} dtypes[DTYPE_COUNT] = {
    [DTYPE_BOOL] = {"BOOL", 1}, [DTYPE_U8] = {"U8", 1},   [DTYPE_I8] = {"I8", 1},
    [DTYPE_I16] = {"I16", 2},   [DTYPE_U16] = {"U16", 2}, [DTYPE_F16] = {"F16", 2},
    [DTYPE_BF16] = {"BF16", 2}, [DTYPE_I32] = {"I32", 4}, [DTYPE_U32] = {"U32", 4},
    [DTYPE_F32] = {"F32", 4},   [DTYPE_F64] = {"F64", 8}, [DTYPE_I64] = {"I64", 8},
    [DTYPE_U64] = {"U64", 8},
};

const char *dtype_name(Dtype dtype) {
    return dtypes[dtype].name;
}

size_t dtype_bytes(Dtype dtype) {
    return dtypes[dtype].bytes;
}

/* Names from a file may be long; the message names the tensor and has room for the
 * mistake. */
enum { MOST_OF_A_NAME = 99 };

void safetensors_die(const SafeTensor *tensor, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    die("file '%s': tensor '%s': %s", tensor->file,
        printable(tensor->name, MOST_OF_A_NAME).text, text);
}

/* ---- the header ---- */

/* Parses the header and returns where the data begins. */
static size_t parse_header(SafeTensors *file) {
    if (file->map_bytes < 8)
        die("file '%s': has %zu bytes, expected a safetensors file (8 at least)",
            file->path, file->map_bytes);
    uint64_t length;
    memcpy(&length, file->map, sizeof length);
    const char *path = file->path, *text = (const char *)file->map + 8;
    if (length > file->map_bytes - 8)
        die("file '%s': says its header has %llu bytes, but only %zu follow (cut "
            "short, or not a safetensors "
            "file)",
            path, (unsigned long long)length, file->map_bytes - 8);
    if (length > max_header_bytes)
        die("file '%s': header of %llu bytes, expected at most %llu", path,
            (unsigned long long)length, (unsigned long long)max_header_bytes);
    if (length == 0 || text[0] != '{')
        die("file '%s': its header is not a JSON object", path);
    file->header = json_parse_object(path, "its header ", text, (size_t)length);
    return 8 + (size_t)length;
}

static void check_metadata(const SafeTensors *file, const cJSON *metadata) {
    if (cJSON_IsNull(metadata)) return;
    if (!cJSON_IsObject(metadata))
        die("file '%s': __metadata__ is not a JSON object", file->path);
    for (const cJSON *pair = metadata->child; pair; pair = pair->next)
        if (!cJSON_IsString(pair))
            die("file '%s': __metadata__: the value of '%s' is not a text", file->path,
                printable(pair->string, MOST_OF_A_NAME).text);
}

/* ---- one tensor ---- */

static size_t parse_size(const SafeTensor *t, const char *what, const cJSON *number) {
    if (!cJSON_IsNumber(number))
        safetensors_die(t, "%s holds something that is not a number", what);
    double value = number->valuedouble;
    if (!(value >= 0 && value < exact_integers) || value != (double)(size_t)value)
        safetensors_die(t, "%s holds %.17g, expected an integer from 0 to 2^53", what,
                        value);
    return (size_t)value;
}

static void parse_dtype(SafeTensor *t, const cJSON *dtype) {
    if (!cJSON_IsString(dtype)) safetensors_die(t, "its dtype is not a text");
    for (int d = 0; d < DTYPE_COUNT; d++) {
        if (strcmp(dtypes[d].name, dtype->valuestring) != 0) continue;
        t->dtype = (Dtype)d;
        return;
    }
    safetensors_die(t, "unknown dtype '%s', expected one such as F32, F16, BF16, I64",
                    printable(dtype->valuestring, MOST_OF_A_NAME).text);
}

static void parse_shape(SafeTensor *t, const cJSON *shape) {
    if (!cJSON_IsArray(shape)) safetensors_die(t, "its shape is not a list");
    t->size = 1;
    for (const cJSON *axis = shape->child; axis; axis = axis->next) {
        if (t->ndim == SAFETENSORS_MAX_NDIM)
            safetensors_die(t, "its shape has more than %d axes", SAFETENSORS_MAX_NDIM);
        size_t length = parse_size(t, "its shape", axis);
        if (length && t->size > SIZE_MAX / 8 / length)
            safetensors_die(t, "its shape is too large");
        t->size *= length;
        t->shape[t->ndim++] = length;
    }
}

static void parse_offsets(SafeTensor *t, const cJSON *offsets, const char *data,
                          size_t data_bytes) {
    if (!cJSON_IsArray(offsets) || cJSON_GetArraySize(offsets) != 2)
        safetensors_die(t, "its data_offsets are not a list of two numbers");
    size_t begin = parse_size(t, "data_offsets", offsets->child);
    size_t end = parse_size(t, "data_offsets", offsets->child->next);
    char shape[SAFETENSORS_SHAPE_TEXT];
    if (begin > end)
        safetensors_die(t, "data_offsets [%zu, %zu] are reversed", begin, end);
    if (end > data_bytes)
        safetensors_die(t,
                        "its data ends at byte %zu, but the file has only %zu bytes of "
                        "data (cut short?)",
                        end, data_bytes);
    t->bytes = t->size * dtype_bytes(t->dtype);
    if (end - begin != t->bytes)
        safetensors_die(t, "has %zu bytes of data, expected %zu for %s %s", end - begin,
                        t->bytes, dtype_name(t->dtype),
                        safetensors_shape_text(t, shape));
    t->data = data + begin;
}

static SafeTensor parse_tensor(const SafeTensors *file, const cJSON *entry,
                               size_t data_start) {
    SafeTensor t = {.name = entry->string, .file = file->path};
    const char *keys[] = {"dtype", "shape", "data_offsets"};
    const cJSON *values[3] = {NULL};
    if (!cJSON_IsObject(entry)) safetensors_die(&t, "its entry is not a JSON object");
    for (const cJSON *item = entry->child; item; item = item->next)
        for (int k = 0; k < 3; k++) {
            if (strcmp(item->string, keys[k]) != 0) continue;
            if (values[k]) safetensors_die(&t, "has '%s' twice", keys[k]);
            values[k] = item;
        }
    for (int k = 0; k < 3; k++)
        if (!values[k]) safetensors_die(&t, "has no '%s'", keys[k]);
    parse_dtype(&t, values[0]);
    parse_shape(&t, values[1]);
    parse_offsets(&t, values[2], (const char *)file->map + data_start,
                  file->map_bytes - data_start);
    return t;
}

/* ---- all tensors ---- */

static int compare_place(const void *a, const void *b) {
    const SafeTensor *s = a, *t = b;
    if (s->data != t->data) return s->data < t->data ? -1 : 1;
    return s->bytes < t->bytes ? -1 : s->bytes > t->bytes;
}

static int compare_name(const void *a, const void *b) {
    return strcmp(((const SafeTensor *)a)->name, ((const SafeTensor *)b)->name);
}

/* The format leaves no gaps: each tensor begins where the one before it ends,
 * and the last ends with the file. */
static void check_places(SafeTensors *file, size_t data_start) {
    const char *data = (const char *)file->map + data_start, *end = data;
    qsort(file->tensors, file->count, sizeof *file->tensors, compare_place);
    for (size_t i = 0; i < file->count; i++) {
        const SafeTensor *t = &file->tensors[i];
        if ((const char *)t->data != end)
            safetensors_die(
                t,
                "its data begins at byte %td, but the data before it ends at byte %td",
                (const char *)t->data - data, end - data);
        end += t->bytes;
    }
    size_t left = file->map_bytes - data_start - (size_t)(end - data);
    if (left) die("file '%s': has %zu bytes behind its last tensor", file->path, left);
}

SafeTensors safetensors_open(const char *path) {
    SafeTensors file = {.path = checked_strdup(path)};
    file.map = file_map(file.path, "a safetensors file", &file.map_bytes);
    size_t data_start = parse_header(&file);
    size_t entries = 0;
    for (const cJSON *entry = file.header->child; entry; entry = entry->next) entries++;
    file.tensors = checked_alloc(entries, sizeof *file.tensors);
    bool metadata_seen = false;
    for (const cJSON *entry = file.header->child; entry; entry = entry->next) {
        if (strcmp(entry->string, "__metadata__") != 0) {
            file.tensors[file.count++] = parse_tensor(&file, entry, data_start);
            continue;
        }
        if (metadata_seen) die("file '%s': has __metadata__ twice", path);
        metadata_seen = true;
        check_metadata(&file, entry);
    }
    /* Names before places: a tensor listed twice would otherwise be reported as
     * overlapping itself. */
    qsort(file.tensors, file.count, sizeof *file.tensors, compare_name);
    for (size_t i = 1; i < file.count; i++)
        if (compare_name(&file.tensors[i - 1], &file.tensors[i]) == 0)
            safetensors_die(&file.tensors[i], "is there twice");
    check_places(&file, data_start);
    qsort(file.tensors, file.count, sizeof *file.tensors, compare_name);
    return file;
}

void safetensors_close(SafeTensors *file) {
    file_unmap(file->map, file->map_bytes);
    cJSON_Delete(file->header);
    free(file->tensors);
    free(file->path);
    *file = (SafeTensors){0};
}

const SafeTensor *safetensors_find(const SafeTensors *file, const char *name) {
    SafeTensor key = {.name = name};
    return bsearch(&key, file->tensors, file->count, sizeof key, compare_name);
}

const char *safetensors_metadata(const SafeTensors *file, const char *key) {
    const cJSON *metadata =
        cJSON_GetObjectItemCaseSensitive(file->header, "__metadata__");
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, key));
}

const char *safetensors_shape_text(const SafeTensor *tensor,
                                   char text[SAFETENSORS_SHAPE_TEXT]) {
    size_t used = 0;
    for (int i = 0; i < tensor->ndim; i++)
        used += (size_t)snprintf(text + used, SAFETENSORS_SHAPE_TEXT - used, "%s%zu",
                                 i ? ", " : "[", tensor->shape[i]);
    snprintf(text + used, SAFETENSORS_SHAPE_TEXT - used, "%s",
             tensor->ndim ? "]" : "[]");
    return text;
}
