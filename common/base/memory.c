/* Memory that is there: see memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

size_t size_mul(size_t a, size_t b) {
    if (b != 0 && a > SIZE_MAX / b)
        die("a size of %zu x %zu does not fit in memory", a, b);
    return a * b;
}

void *checked_alloc(size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
    return memory;
}

void *checked_aligned_alloc(size_t count, size_t size) {
    const size_t line = 64, large_page = 2 << 20;
    size_t bytes = size_mul(count, size),
           alignment = bytes < large_page ? line : large_page;
    if (bytes > SIZE_MAX - alignment)
        die("a size of %zu x %zu does not fit in memory", count, size);
    size_t rounded =
        (bytes / alignment + (bytes % alignment > 0 || bytes == 0)) * alignment;
    void *memory = aligned_alloc(alignment, rounded);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
#ifdef MADV_HUGEPAGE
    if (alignment == large_page) /* the last one only where it is filled */
        madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
    return memory;
}

void *checked_realloc(void *old, size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory) die("out of memory: %zu bytes wanted", bytes);
    return memory;
}

char *checked_strdup(const char *s) {
    size_t bytes = strlen(s) + 1;
    return memcpy(checked_alloc(bytes, 1), s, bytes);
}
