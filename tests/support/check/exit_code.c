/* A child process that runs a function, and how it ends: see dies.h. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/dies.h"

/* AddressSanitizer reads this. Criterion leaks a little of its own, and a program that
 * ends by an error frees nothing: neither is what the tests look for. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

int exit_code_of(void (*action)(void *), void *argument, char message[1024]) {
    int ends[2], status;
    fflush(NULL);
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        /* one that waits for ever is ended by a signal, and the test fails */
        alarm(60);
        action(argument);
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    char rest[1024];
    for (;;) { /* what does not fit is read too, or the child would wait */
        ssize_t got = used < 1023 ? read(ends[0], message + used, 1023 - used)
                                  : read(ends[0], rest, sizeof rest);
        if (got <= 0) break;
        if (used < 1023) used += (size_t)got;
    }
    message[used] = 0;
    close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status), "ended by signal %d (a crash), having printed: %s",
              WTERMSIG(status), message);
    return WEXITSTATUS(status);
}
