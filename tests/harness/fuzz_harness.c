/* A fuzz target (tests/support/fuzz/fuzz.h) under libFuzzer: code that may end the
 * program, run many thousand times in one.
 *
 * The linker sends every exit() to __wrap_exit (--wrap), which jumps back to the start
 * of the run. What the run had in hand at that moment - memory, maps, open files - is
 * given back here, so that nothing adds up. A run that ends by anything but exit code
 * 1, or says anything but one line, is a finding like a crash. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

static jmp_buf start;
static volatile bool running, counting;
static int exit_code;

_Noreturn void __real_exit(int code);
_Noreturn void __wrap_exit(int code);
_Noreturn void __wrap_exit(int code) {
    if (!running) __real_exit(code);
    exit_code = code;
    longjmp(start, 1);
}

/* --- what a run holds: blocks of memory, and maps --- */

typedef struct {
    void *address;
    size_t bytes; /* of a map; 0 for a block of malloc */
} Held;

static Held *held;
static size_t n_held, held_capacity;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void __real_free(void *p);
void *__real_mmap(void *at, size_t n, int protection, int flags, int descriptor,
                  off_t offset);
int __real_munmap(void *p, size_t n);

static void *hold(void *address, size_t bytes) {
    if (!counting || !address || address == MAP_FAILED) return address;
    if (n_held == held_capacity) {
        held_capacity = 2 * held_capacity + 1024;
        held = __real_realloc(held, held_capacity * sizeof *held);
        if (!held) abort();
    }
    held[n_held++] = (Held){address, bytes};
    return address;
}

static void let_go(const void *address) {
    for (size_t i = n_held; i-- > 0;) {
        if (held[i].address != address) continue;
        held[i] = held[--n_held];
        return;
    }
}

void *__wrap_malloc(size_t n) {
    return hold(__real_malloc(n), 0);
}
void *__wrap_calloc(size_t n, size_t size) {
    return hold(__real_calloc(n, size), 0);
}
void *__wrap_aligned_alloc(size_t alignment, size_t n) {
    return hold(__real_aligned_alloc(alignment, n), 0);
}
void *__wrap_realloc(void *old, size_t n) {
    let_go(old);
    return hold(__real_realloc(old, n), 0);
}
void __wrap_free(void *p) {
    let_go(p);
    __real_free(p);
}
void *__wrap_mmap(void *at, size_t n, int protection, int flags, int descriptor,
                  off_t offset) {
    return hold(__real_mmap(at, n, protection, flags, descriptor, offset), n);
}
int __wrap_munmap(void *p, size_t n) {
    let_go(p);
    return __real_munmap(p, n);
}

static void give_back(int first_descriptor) {
    running = counting = false;
    file_discard_unfinished();
    while (n_held) {
        Held h = held[--n_held];
        if (h.bytes)
            __real_munmap(h.address, h.bytes);
        else
            __real_free(h.address);
    }
    for (int d = first_descriptor; d < first_descriptor + 8; d++) close(d);
}

/* --- one run --- */

static char *message;
static size_t message_bytes;

static void finding(const char *what) {
    fprintf(stdout, "%s; exit code %d, message: %.*s\n", what, exit_code,
            (int)message_bytes, message);
    fflush(stdout);
    abort();
}

static void check_message(void) {
    fflush(stderr);
    if (exit_code != EXIT_INPUT) finding("the exit code is not 1");
    for (size_t i = 0; i < message_bytes; i++) {
        bool last = i + 1 == message_bytes;
        if (last ? message[i] != '\n'
                 : (unsigned char)message[i] < 0x20 || message[i] == 0x7f)
            finding("the message is not one clean line");
    }
    if (message_bytes < 2) finding("there is no message");
}

static void run(const char *data, size_t size) {
    int first_descriptor = dup(STDIN_FILENO);
    close(first_descriptor);
    rewind(stderr);
    if (setjmp(start) == 0) {
        running = true;
        fuzz_target(size ? data : "", size);
        running = counting = false;
    } else {
        give_back(first_descriptor);
        check_message();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool ready;
    if (!ready) {
        stderr = open_memstream(&message, &message_bytes);
        /* what a target makes once and keeps is made here, and not counted */
        run("", 0);
        ready = true;
    }
    n_held = 0;
    counting = true;
    run((const char *)data, size);
    return 0;
}
