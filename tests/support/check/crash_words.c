/* The words for a crash: see crash_words.h. */
#include "check/crash_words.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/crash.h"

enum { EXIT_CALLED = 70 };

static const char *volatile likely_cause;

void crash_means(const char *cause) {
    likely_cause = cause;
}

const int crash_signals[N_CRASHES] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const struct {
    const char *name, *meaning;
} words[N_CRASHES] = {
    {"SIGSEGV", "an index outside of an array, a pointer that is NULL"},
    {"SIGBUS", "an index outside of an array"},
    {"SIGFPE", "an integer divided by zero"},
    {"SIGILL", "the end of a function that returns no value"},
    {"SIGABRT", "a failed assert(), memory freed twice or written beyond its end"},
};

void crash_print(const char *text) {
    /* nothing can be done about it here */
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/* Causes are of memory that is used. A pointer that is NULL is met at an address near
 * 0; far from the test's own arrays it may be another that is too small. */
void crash_say(const Crash *crash) {
    for (size_t i = 0; i < N_CRASHES; i++) {
        if (crash_signals[i] != crash->number) continue;
        bool memory = crash->number == SIGSEGV || crash->number == SIGBUS,
             null = crash->touched < 1 << 16;
        bool fits = likely_cause && memory && (null || !strstr(likely_cause, "NULL"));
        const char *cause = fits ? likely_cause : NULL;
        bool certain = null || crash->in_guard;
        crash_print("crashed with ");
        crash_print(words[i].name);
        if (crash->seen_late)
            crash_print(" outside of your file, perhaps inside a function that it "
                        "calls");
        crash_print(!cause || crash->overflow ? ", mostly "
                    : certain                 ? ": this is what you get when "
                                              : "; perhaps ");
        crash_print(crash->overflow
                        ? "endless recursion, or arrays too large for the stack"
                    : cause ? cause
                            : words[i].meaning);
        if (cause && !crash->overflow && !certain)
            crash_print(", or an array of your own is too small");
        crash_print("\n");
    }
}

void exit_in_test(int code) {
    fprintf(stderr, "ended the program with exit(%d)\n", code);
    _exit(EXIT_CALLED);
}
