/* Memory that ends at a forbidden page: see guarded.h. */
#include "check/guarded.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "check/sanitizer.h"

#undef free

void *guarded_copy(const void *memory, size_t count, size_t size) {
    return memcpy(guarded_alloc(count, size), memory, count * size);
}

#ifdef __SANITIZE_ADDRESS__

void *guarded_alloc(size_t count, size_t size) {
    return checked_alloc(count, size);
}

void free_guarded(void *memory) {
    free(memory);
}

bool is_guard(const void *address) {
    (void)address;
    return false;
}

size_t guarded_bytes(const void *memory) {
    (void)memory;
    return 0;
}

#else

/* A piece of memory, as free_guarded needs it. */
typedef struct Piece {
    struct Piece *next;
    void *memory;
    void *pages;
    size_t bytes; /* of the pages, with the last */
} Piece;

static Piece *pieces;

void *guarded_alloc(size_t count, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), wanted = size_mul(count, size);
    size_t room = wanted / page * page + (wanted % page ? page : 0);
    char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + room, page, PROT_NONE) != 0)
        return checked_alloc(count, size);
    Piece *piece = checked_alloc(1, sizeof *piece);
    *piece = (Piece){.next = pieces,
                     .memory = pages + room - wanted,
                     .pages = pages,
                     .bytes = room + page};
    pieces = piece;
    return piece->memory;
}

void free_guarded(void *memory) {
    for (Piece **at = &pieces; *at; at = &(*at)->next) {
        Piece *piece = *at;
        if (piece->memory != memory) continue;
        munmap(piece->pages, piece->bytes);
        *at = piece->next;
        free(piece);
        return;
    }
    free(memory);
}

bool is_guard(const void *address) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (const Piece *piece = pieces; piece; piece = piece->next) {
        uintptr_t end = (uintptr_t)piece->pages + piece->bytes,
                  touched = (uintptr_t)address;
        if (touched < end && touched >= end - page) return true;
    }
    return false;
}

size_t guarded_bytes(const void *memory) {
    const char *at = memory;
    for (const Piece *piece = pieces; piece; piece = piece->next) {
        const char *begin = piece->memory, *pages = piece->pages;
        const char *end = pages + piece->bytes - sysconf(_SC_PAGESIZE);
        if (at >= begin && at < end) return (size_t)(end - at);
    }
    return 0;
}

#endif
