/* exit_code_of of tests/support/check/dies.h, without a child process: the page keeps a
 * copy of this instance's memory, calls the action, and takes the copy back
 * (instance.js). What a child changes is gone with it in the same way. */
#include <stdio.h>

#include "check/dies.h"

__attribute__((import_module("page"), import_name("run_apart"))) int
page_run_apart(void (*action)(void *), void *argument, char *message, size_t bytes);

/* Called by the page, so that what the action printed is out. */
__attribute__((export_name("flush_all"))) void flush_all(void) {
    fflush(NULL);
}

int exit_code_of(void (*action)(void *), void *argument, char message[1024]) {
    fflush(NULL);
    return page_run_apart(action, argument, message, 1024);
}
