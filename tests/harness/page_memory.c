/* The memory under the tests in a page, in the place of guarded.c and crash.c.
 *
 * Nothing is protected in WebAssembly: what is outside of an array belongs to another,
 * and address 0 can be written to. So the learner's file is compiled with calls of
 * AddressSanitizer's at each read and write (compile.js), and these are the functions
 * that they call: they end the test at what a system ends it at, an address near 0 and
 * the page behind a test's array. Between the basic blocks of the file the time is
 * looked at. */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "check/crash.h"
#include "check/crash_words.h"
#include "check/guarded.h"

#undef free

enum { PAGE = 4096, NULL_PAGES = 16, MOST_PAGES = 1 << 20 };

/* --- forbidden pages: any access is an error; first the pages at NULL --- */

static bool forbidden[MOST_PAGES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void forbid(const char *pages, size_t bytes, bool forbid) {
    for (size_t at = 0; at < bytes; at += PAGE)
        forbidden[(uintptr_t)(pages + at) / PAGE] = forbid;
}

bool is_guard(const void *address) {
    uintptr_t page = (uintptr_t)address / PAGE;
    return page >= NULL_PAGES && forbidden[page];
}

typedef struct Piece {
    struct Piece *next;
    char *memory, *pages;
    size_t room;
} Piece;

static Piece *pieces;

void *guarded_alloc(size_t count, size_t size) {
    size_t wanted = size_mul(count, size), room = (wanted + PAGE - 1) / PAGE * PAGE;
    char *pages = aligned_alloc(PAGE, room + PAGE);
    if (!pages) return checked_alloc(count, size);
    memset(pages, 0, room + PAGE);
    forbid(pages + room, PAGE, true);
    Piece *piece = checked_alloc(1, sizeof *piece);
    *piece = (Piece){pieces, pages + room - wanted, pages, room};
    pieces = piece;
    return piece->memory;
}

void *guarded_copy(const void *memory, size_t count, size_t size) {
    return memcpy(guarded_alloc(count, size), memory, count * size);
}

size_t guarded_bytes(const void *memory) {
    const char *at = memory;
    for (const Piece *piece = pieces; piece; piece = piece->next)
        if (at >= piece->memory && at < piece->pages + piece->room)
            return (size_t)(piece->pages + piece->room - at);
    return 0;
}

/* Freed pages stay forbidden, until there are many, so that a use after free is an
 * error. */
static void give_back(const Piece *piece) {
    enum { MOST_KEPT = 64 << 20 };
    static size_t kept;
    bool keep = kept + piece->room + PAGE <= MOST_KEPT;
    forbid(piece->pages, piece->room + PAGE, keep);
    if (keep)
        kept += piece->room + PAGE;
    else
        free(piece->pages);
}

void free_guarded(void *memory) {
    for (Piece **at = &pieces; *at; at = &(*at)->next) {
        Piece *piece = *at;
        if (piece->memory != memory) continue;
        give_back(piece);
        *at = piece->next;
        free(piece);
        return;
    }
    free(memory);
}

/* --- how a test ends --- */

static bool told;

static void crash(Crash crash) {
    crash.in_guard = is_guard((void *)crash.touched);
    if (!told) crash_say(&crash);
    told = true;
}

/* The page calls this for what the machine itself has stopped: the words of its
 * exception are no address, so that any in the middle of memory will do. */
enum { OUTSIDE, NO_STACK, DIVISION, UNREACHABLE };
__attribute__((export_name("trapped"))) void trapped(int kind) {
    fflush(NULL);
    static const int numbers[] = {SIGSEGV, SIGSEGV, SIGFPE, SIGABRT};
    crash((Crash){
        .number = numbers[kind], .overflow = kind == NO_STACK, .touched = UINTPTR_MAX});
}

static __attribute__((noinline)) void touched_forbidden(uintptr_t at, size_t bytes) {
    fflush(NULL);
    uintptr_t touched = forbidden[at / PAGE] ? at : at + bytes - 1;
    crash((Crash){.number = SIGSEGV, .touched = touched});
    __builtin_trap();
}

static inline void touch(uintptr_t at, size_t bytes) {
    if (forbidden[at / PAGE] | forbidden[(at + bytes - 1) / PAGE])
        touched_forbidden(at, bytes);
}

static void touch_some(uintptr_t at, size_t bytes) {
    if (bytes) touch(at, bytes);
}

/* Functions that the learner's file calls are not built with these checks. Their writes
 * to NULL are seen at the end of the test, by changed bytes there. The bytes must
 * change when a gradient is added to them, which a large number would not: every other
 * float is a signaling NaN, which any sum makes quiet; the other floats, and the
 * doubles, are so small that a sum replaces them. */
static uint32_t *first_pages(void) {
    static uint32_t *volatile nowhere;
    return nowhere; /* not NULL itself, with which a compiler may do anything */
}

enum { SIGNALING = 0x7fa00001, TINY = 0x00010001, WORDS = NULL_PAGES * PAGE / 4 };

static uint32_t untouched(size_t word) {
    return word % 2 ? TINY : SIGNALING;
}

__attribute__((constructor)) static void mark_first_pages(void) {
    uint32_t *words = first_pages();
    for (size_t i = 0; i < WORDS; i++) words[i] = untouched(i);
}

bool null_was_written(void);
bool null_was_written(void) {
    const uint32_t *words = first_pages();
    for (size_t i = 0; i < WORDS; i++) {
        if (words[i] == untouched(i)) continue;
        crash((Crash){
            .number = SIGSEGV, .touched = i * sizeof *words, .seen_late = true});
        return true;
    }
    return false;
}

/* An endless loop is known by how many basic blocks have run (CHECK_BLOCKS, in
 * millions), which does not depend on the machine's load; by time (CHECK_SECONDS) only
 * where each of them takes long. */
static struct timespec begin;
static long most_millions, most_seconds;
static unsigned blocks;

static long number_from(const char *name) {
    const char *value = getenv(name);
    return value ? atol(value) : LONG_MAX;
}

__attribute__((constructor)) static void begin_time(void) {
    most_millions = number_from("CHECK_BLOCKS");
    most_seconds = number_from("CHECK_SECONDS");
    clock_gettime(CLOCK_MONOTONIC, &begin);
}

/* --- what the compiler calls in the learner's file --- */

enum { MILLION = 1 << 20 };

static __attribute__((noinline)) void look_at_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((long)(blocks / MILLION) < most_millions &&
        now.tv_sec - begin.tv_sec < most_seconds)
        return;
    fflush(NULL);
    if (!told) crash_print("ran out of time\n");
    told = true;
    __builtin_trap();
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    if (++blocks % MILLION == 0) look_at_time();
}

#define TOUCHES(kind, bytes)                                                           \
    void __asan_##kind##bytes(uintptr_t at);                                           \
    void __asan_##kind##bytes(uintptr_t at) {                                          \
        touch(at, bytes);                                                              \
    }
#define TOUCHES_N(kind)                                                                \
    void __asan_##kind##N(uintptr_t at, size_t bytes);                                 \
    void __asan_##kind##N(uintptr_t at, size_t bytes) {                                \
        touch_some(at, bytes);                                                         \
    }
TOUCHES(load, 1)
TOUCHES(load, 2)
TOUCHES(load, 4)
TOUCHES(load, 8)
TOUCHES(load, 16)
TOUCHES_N(load)
TOUCHES(store, 1)
TOUCHES(store, 2)
TOUCHES(store, 4)
TOUCHES(store, 8)
TOUCHES(store, 16)
TOUCHES_N(store)

void *__asan_memcpy(void *to, const void *from, size_t n);
void *__asan_memcpy(void *to, const void *from, size_t n) {
    touch_some((uintptr_t)to, n);
    touch_some((uintptr_t)from, n);
    return memcpy(to, from, n);
}

void *__asan_memmove(void *to, const void *from, size_t n);
void *__asan_memmove(void *to, const void *from, size_t n) {
    touch_some((uintptr_t)to, n);
    touch_some((uintptr_t)from, n);
    return memmove(to, from, n);
}

void *__asan_memset(void *to, int byte, size_t n);
void *__asan_memset(void *to, int byte, size_t n) {
    touch_some((uintptr_t)to, n);
    return memset(to, byte, n);
}

void __asan_init(void);
void __asan_init(void) {}
void __asan_version_mismatch_check_v8(void);
void __asan_version_mismatch_check_v8(void) {}
void __asan_handle_no_return(void);
void __asan_handle_no_return(void) {}

/* malloc in the learner's file where fresh memory shall hold other bytes than 0
 * (CHECK_FILLED): -Dmalloc=malloc_filled. */
void *malloc_filled(size_t bytes);
void *malloc_filled(size_t bytes) {
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0x7f, bytes) : NULL;
}
