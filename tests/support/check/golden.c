/* Golden numbers: see golden.h. */
#include "check/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "files/file.h"
#include "check/guarded.h"
#include "base/memory.h"

typedef struct CachedFile {
    char *family;
    SafeTensors file;
    struct CachedFile *next;
} CachedFile;

/* Memory that was handed out, listed so that a leak checker sees it in use. */
typedef struct Kept {
    void *memory;
    struct Kept *next;
} Kept;

static CachedFile *files;
static Kept *kept;

static void *keep(void *memory) {
    Kept *entry = checked_alloc(1, sizeof *entry);
    *entry = (Kept){.memory = memory, .next = kept};
    kept = entry;
    return memory;
}

const char *golden_path(const char *relative) {
    const char *directory = getenv("GOLDEN_DIR");
    return keep(
        path_join(directory && *directory ? directory : "tests/golden", relative));
}

const SafeTensors *golden_file(const char *family) {
    for (const CachedFile *f = files; f; f = f->next)
        if (strcmp(f->family, family) == 0) return &f->file;
    char relative[256];
    snprintf(relative, sizeof relative,
             strchr(family, '/') ? "%s.safetensors" : "layers/%s_f64.safetensors",
             family);
    CachedFile *f = checked_alloc(1, sizeof *f);
    *f = (CachedFile){.family = checked_strdup(family),
                      .file = safetensors_open(golden_path(relative)),
                      .next = files};
    files = f;
    return &f->file;
}

static const SafeTensor *find(const char *family, const char *case_,
                              const char *tensor) {
    char name[256];
    snprintf(name, sizeof name, "%s%s%s", case_ ? case_ : "", case_ ? "." : "", tensor);
    return safetensors_find(golden_file(family), name);
}

static const SafeTensor *need(const char *family, const char *case_,
                              const char *tensor) {
    const SafeTensor *t = find(family, case_, tensor);
    if (!t)
        die("file '%s': has no tensor '%s%s%s', which the test wants",
            golden_file(family)->path, case_ ? case_ : "", case_ ? "." : "", tensor);
    return t;
}

bool golden_has(const char *family, const char *case_, const char *tensor) {
    return find(family, case_, tensor) != NULL;
}

const double *golden(const char *family, const char *case_, const char *tensor,
                     size_t *n) {
    const SafeTensor *t = need(family, case_, tensor);
    double *out = keep(checked_alloc(t->size, sizeof *out));
    safetensors_to_double(out, t);
    if (n) *n = t->size;
    return out;
}

float *golden_float(const char *family, const char *case_, const char *tensor,
                    size_t *n) {
    const SafeTensor *t = need(family, case_, tensor);
    float *out = keep(guarded_alloc(t->size, sizeof *out));
    safetensors_to_float(out, t);
    if (n) *n = t->size;
    return out;
}

int *golden_int(const char *family, const char *case_, const char *tensor, size_t *n) {
    const SafeTensor *t = need(family, case_, tensor);
    int *out = keep(guarded_alloc(t->size, sizeof *out));
    safetensors_to_int(out, t);
    if (n) *n = t->size;
    return out;
}

int golden_shape(const char *family, const char *case_, const char *tensor,
                 size_t shape[SAFETENSORS_MAX_NDIM]) {
    const SafeTensor *t = need(family, case_, tensor);
    memcpy(shape, t->shape, sizeof t->shape);
    return t->ndim;
}

double golden_attr(const char *family, const char *case_, const char *name) {
    char tensor[128];
    snprintf(tensor, sizeof tensor, "attr.%s", name);
    const SafeTensor *t = need(family, case_, tensor);
    double value;
    if (t->size != 1)
        die("file '%s': '%s.%s' has %zu numbers, expected 1", t->file, case_, tensor,
            t->size);
    safetensors_to_double(&value, t);
    return value;
}

char *golden_bytes(const char *hex, size_t *n) {
    *n = strlen(hex) / 2;
    char *bytes = checked_alloc(*n + 1, 1);
    for (size_t i = 0; i < *n; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1)
            die("golden bytes '%s': not hexadecimal", hex);
        bytes[i] = (char)value;
    }
    return bytes;
}
