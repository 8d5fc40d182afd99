/* Crashes of the code under test: see crash.h. */
#define _GNU_SOURCE /* dladdr */
#include "check/crash.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "check/crash_words.h"
#include "check/guarded.h"
#include "check/sanitizer.h"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* musl: no line is known there */
static int backtrace(void **frames, int most) {
    (void)frames;
    (void)most;
    return 0;
}
#endif

enum { MOST_BYTES = 20 << 20, MOST_FRAMES = 64, MOST_ENDLESS = 2 };

/* Whether an address is in the test program itself, and not in a library. */
static bool is_ours(void *address, const Dl_info *program) {
    Dl_info there;
    return dladdr(address, &there) && there.dli_fbase == program->dli_fbase;
}

/* "stack: 0x1a2b 0x3c4d": where the program is, innermost first, as addresses in its
 * file, for addr2line. Our handler comes first, then what the system calls it through,
 * which is in no file of ours, then the instruction that crashed. */
static void say_stack(void) {
    void *frames[MOST_FRAMES];
    int n = backtrace(frames, MOST_FRAMES), instruction = 0;
    Dl_info program;
    if (!dladdr((void *)(uintptr_t)crash_means, &program)) return;
    while (instruction < n && is_ours(frames[instruction], &program)) instruction++;
    instruction++;
    crash_print("stack:");
    for (int i = instruction; i < n; i++) {
        if (!is_ours(frames[i], &program)) continue;
        uintptr_t address = (uintptr_t)frames[i];
#ifdef __PIE__
        address -= (uintptr_t)program.dli_fbase;
#endif
        /* All others are where a call comes back to: behind its line. */
        if (i != instruction) address--;
        char text[] = " 0x0000000000000000";
        for (size_t at = sizeof text - 2; address; at--, address /= 16)
            text[at] = "0123456789abcdef"[address % 16];
        crash_print(text);
    }
    crash_print("\n");
}

/* Where the stack begins, and how far it may grow down; 0: without a limit. */
static char *stack_begin;
static size_t stack_bytes;

/* Whether memory below the lowest that the stack may have was touched: as far below as
 * a large array reaches, and no other memory lies. */
static bool is_stack_overflow(const siginfo_t *info) {
    enum { NEAR = 1 << 20, EMPTY = 120 << 20 };
    uintptr_t begin = (uintptr_t)stack_begin, touched = (uintptr_t)info->si_addr;
    return stack_bytes && touched < begin - stack_bytes + NEAR &&
           touched > begin - (stack_bytes > EMPTY ? stack_bytes + NEAR : EMPTY);
}

/* Only what may be called in a signal handler. Of threads that crash at once one tells
 * it, and the others wait for the end that it brings. */
static void crashed(int number, siginfo_t *info, void *context) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    (void)context;
    while (atomic_flag_test_and_set(&told)) pause();
    crash_say(&(Crash){.number = number,
                       .overflow = number == SIGSEGV && is_stack_overflow(info),
                       .touched = (uintptr_t)info->si_addr,
                       .in_guard = is_guard(info->si_addr)});
    say_stack();
    signal(number, SIG_DFL);
    raise(number);
}

/* The file CHECK_ENDLESS gets a byte for each test that did not end. */
static void out_of_time(int number) {
    const char *endless = getenv("CHECK_ENDLESS");
    int file = endless ? open(endless, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
    if (file >= 0 && write(file, ".", 1) < 0)
        crash_print("cannot count the tests that do not end\n");
    crash_print("ran out of time\n");
    say_stack();
    signal(number, SIG_DFL);
    raise(number);
}

/* CHECK_SECONDS of computing, which is not time: right code stays right on a busy
 * machine. A fifth of a second where two tests have not ended: most right tests need
 * less. */
static void limit_time(void) {
    const char *seconds = getenv("CHECK_SECONDS"), *endless = getenv("CHECK_ENDLESS");
    if (!seconds) return;
    struct itimerval most = {.it_value.tv_sec = atol(seconds)};
    struct stat counted;
    if (endless && stat(endless, &counted) == 0 && counted.st_size >= MOST_ENDLESS) {
        most.it_value = (struct timeval){.tv_usec = 200000};
    }
    struct sigaction action = {.sa_handler = out_of_time, .sa_flags = SA_ONSTACK};
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &most, NULL);
}

/* The process of a test, or 0. */
static pid_t process;

void test_process_begins(void) {
    process = getpid();
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST_BYTES, MOST_BYTES});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    limit_time();
}

/* Before any test: a stack of its own for the handler (endless recursion leaves none),
 * no output lost by a crash, and an end to printing and to computing, though not in the
 * process that reports what tests did. */
__attribute__((constructor)) static void watch(void) {
    static char stack[1 << 16];
    void *frame;
    setvbuf(stdout, NULL, _IOLBF, 0);
    backtrace(&frame, 1); /* the first call loads a library, which no handler may */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    if (getenv("BXFI_MAP")) test_process_begins();
    struct rlimit limit;
    stack_begin = (char *)&limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        stack_bytes = limit.rlim_cur;
#ifndef __SANITIZE_ADDRESS__ /* whose reports say more */
    for (size_t i = 0; i < N_CRASHES; i++) {
        struct sigaction action = {.sa_sigaction = crashed,
                                   .sa_flags = SA_ONSTACK | SA_SIGINFO};
        sigaction(crash_signals[i], &action, NULL);
    }
#else
    (void)crashed;
#endif
}

/* Reports the memory that a test has not freed, of which verdict/reports.h keeps that
 * of the file under test. Not in a process that the test has forked. */
__attribute__((destructor)) void test_process_ends(void) {
#ifdef __SANITIZE_ADDRESS__
    if (getenv("CHECK_LEAKS") && getpid() == process)
        __lsan_do_recoverable_leak_check();
#endif
}
