/* Crashes of the code under test: see crash.h. */
#include "crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

enum { EXIT_CALLED = 70, MOST_BYTES = 20 << 20 };

static const char *volatile likely_cause;

void crash_means(const char *cause) {
    likely_cause = cause;
}

static const struct {
    int number;
    const char *name, *meaning;
} signals[] = {
    {SIGSEGV, "SIGSEGV", "an index outside of an array, a pointer that is NULL, endless recursion"},
    {SIGBUS, "SIGBUS", "an index outside of an array"},
    {SIGFPE, "SIGFPE", "an integer divided by zero"},
    {SIGILL, "SIGILL", "the end of a function that returns no value"},
    {SIGABRT, "SIGABRT", "a failed assert(), memory freed twice or written beyond its end"},
};

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nothing can be done about it here */
}

/* Where this process's stack begins, and how far down it may grow. */
static uintptr_t stack_top, stack_size;

/* Endless recursion: the address is near the lowest that the stack may have. */
static bool stack_is_full(uintptr_t address) {
    enum { NEAR = 2 << 20 };
    return stack_size > 0 && address < stack_top && address + stack_size + NEAR > stack_top &&
           address + stack_size < stack_top + NEAR;
}

/* Only what may be called in a signal handler. */
static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    signal(number, SIG_DFL);
    if (number == SIGSEGV && stack_is_full((uintptr_t)info->si_addr)) {
        say("crashed with SIGSEGV: the stack is full: a function calls itself without end, or has a huge "
            "array\n");
        raise(number);
        return;
    }
    /* A pointer that is NULL is met at an address near 0. */
    bool null = (uintptr_t)info->si_addr < 1 << 16;
    const char *cause = likely_cause && (null || !strstr(likely_cause, "NULL")) ? likely_cause : NULL;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (signals[i].number != number) continue;
        say("crashed with ");
        say(signals[i].name);
        say(cause ? ": this is what you get when " : ", mostly ");
        say(cause ? cause : signals[i].meaning);
        say("\n");
    }
    raise(number);
}

/* Before any test: a stack of its own for the handler (endless recursion leaves none), no output lost by a
 * crash, and an end to printing, though not in the process that reports what the tests did. */
__attribute__((constructor)) static void watch(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (getenv("BXFI_MAP")) setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST_BYTES, MOST_BYTES});
#ifndef __SANITIZE_ADDRESS__ /* whose reports say more */
    static char stack[1 << 16];
    struct rlimit limit;
    stack_top = (uintptr_t)&limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) stack_size = limit.rlim_cur;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_SIGINFO};
        sigaction(signals[i].number, &action, NULL);
    }
#else
    (void)crashed;
#endif
}

void exit_in_test(int code) {
    fprintf(stderr, "ended the program with exit(%d)\n", code);
    _exit(EXIT_CALLED);
}
