/* Functions that the course's programs call and WebAssembly's C library lacks. A
 * program in a page gets no signals, its files have no links, no other program locks
 * them, and its memory has no large pages. Included in front of every file (see cc). */
#ifndef WASM_SHIMS_H
#define WASM_SHIMS_H

typedef struct {
    void *si_addr;
} siginfo_t;

struct sigaction {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
    int sa_flags;
};

enum { SA_SIGINFO = 4, SA_RESETHAND = 8 };

int sigaction(int number, const struct sigaction *action, struct sigaction *before);
/* Of tests; no page calls it. */
char *mkdtemp(char *directory);
char *realpath(const char *path, char *resolved);

#endif
