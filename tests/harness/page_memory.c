/* The memory under the tests in a page, in the place of guarded.c and crash.c.
 *
 * Nothing is protected in WebAssembly: what is outside of an array belongs to another,
 * and address 0 can be written to. So the learner's file is compiled with calls of
 * AddressSanitizer's at each read and write (compile.js), and these are the functions
 * that they call: they end the test at what a system ends it at, an address near 0 and
 * the page behind a test's array. Between the basic blocks of the file the time is
 * looked at. */
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

enum { PAGE = 4096, NULL_BYTES = 1 << 16, MOST_PAGES = (1u << 30) / PAGE };

/* --- pages that nobody may touch --- */

static bool forbidden[MOST_PAGES];

static void forbid(const char *pages, size_t bytes) {
    for (size_t at = 0; at < bytes; at += PAGE)
        forbidden[(uintptr_t)(pages + at) / PAGE] = true;
}

bool is_guard(const void *address) {
    uintptr_t page = (uintptr_t)address / PAGE;
    return page < MOST_PAGES && forbidden[page];
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
    forbid(pages + room, PAGE);
    Piece *piece = checked_alloc(1, sizeof *piece);
    *piece = (Piece){pieces, pages + room - wanted, pages, room};
    pieces = piece;
    return piece->memory;
}

void *guarded_copy(const void *memory, size_t count, size_t size) {
    return memcpy(guarded_alloc(count, size), memory, count * size);
}

/* The pages stay forbidden: whoever still uses them is told. */
void free_guarded(void *memory) {
    for (Piece **at = &pieces; *at; at = &(*at)->next) {
        Piece *piece = *at;
        if (piece->memory != memory) continue;
        forbid(piece->pages, piece->room);
        *at = piece->next;
        free(piece);
        return;
    }
    free(memory);
}

/* --- how a test ends --- */

static bool told;

static void crash(int number, bool overflow, uintptr_t touched) {
    if (!told)
        crash_say(&(Crash){number, overflow, touched, is_guard((void *)touched)});
    told = true;
}

/* The page calls this for what the machine itself has stopped: the words of its
 * exception are no address, so that any in the middle of memory will do. */
enum { OUTSIDE, NO_STACK, DIVISION, UNREACHABLE };
__attribute__((export_name("trapped"))) void trapped(int kind) {
    fflush(NULL);
    static const int numbers[] = {SIGSEGV, SIGSEGV, SIGFPE, SIGABRT};
    crash(numbers[kind], kind == NO_STACK, UINTPTR_MAX);
}

static void touch(uintptr_t at, size_t bytes) {
    if (bytes == 0) return;
    bool near_null = at < NULL_BYTES, first = is_guard((void *)at);
    if (!near_null && !first && !is_guard((void *)(at + bytes - 1))) return;
    fflush(NULL);
    crash(SIGSEGV, false, near_null || first ? at : at + bytes - 1);
    __builtin_trap();
}

static struct timespec begin;
static long most_milliseconds;

static long milliseconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - then->tv_sec) * 1000 +
           (now.tv_nsec - then->tv_nsec) / 1000000;
}

__attribute__((constructor)) static void begin_time(void) {
    const char *limit = getenv("CHECK_MILLISECONDS");
    most_milliseconds = limit ? atol(limit) : 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
}

/* --- what the compiler calls in the learner's file --- */

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    enum { BLOCKS = 1 << 18 };
    static unsigned blocks;
    if (++blocks % BLOCKS || !most_milliseconds ||
        milliseconds_since(&begin) < most_milliseconds)
        return;
    fflush(NULL);
    if (!told) crash_print("ran out of time\n");
    told = true;
    __builtin_trap();
}

#define TOUCHES(kind, bytes)                                                           \
    void __asan_##kind##bytes(uintptr_t at);                                           \
    void __asan_##kind##bytes(uintptr_t at) {                                          \
        touch(at, bytes);                                                              \
    }
#define TOUCHES_N(kind)                                                                \
    void __asan_##kind##N(uintptr_t at, size_t bytes);                                 \
    void __asan_##kind##N(uintptr_t at, size_t bytes) {                                \
        touch(at, bytes);                                                              \
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
    touch((uintptr_t)to, n);
    touch((uintptr_t)from, n);
    return memcpy(to, from, n);
}

void *__asan_memmove(void *to, const void *from, size_t n);
void *__asan_memmove(void *to, const void *from, size_t n) {
    touch((uintptr_t)to, n);
    touch((uintptr_t)from, n);
    return memmove(to, from, n);
}

void *__asan_memset(void *to, int byte, size_t n);
void *__asan_memset(void *to, int byte, size_t n) {
    touch((uintptr_t)to, n);
    return memset(to, byte, n);
}

void __asan_init(void);
void __asan_init(void) {}
void __asan_version_mismatch_check_v8(void);
void __asan_version_mismatch_check_v8(void) {}
void __asan_handle_no_return(void);
void __asan_handle_no_return(void) {}

/* What malloc gives in the learner's file where memory that nobody has written shall
 * hold other bytes than 0 (CHECK_FILLED): -Dmalloc=malloc_filled. */
void *malloc_filled(size_t bytes);
void *malloc_filled(size_t bytes) {
    void *memory = malloc(bytes);
    return memory ? memset(memory, 0x7f, bytes) : NULL;
}
