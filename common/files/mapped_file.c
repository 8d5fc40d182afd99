/* Files mapped into memory: see mapped_file.h. */
#include "files/mapped_file.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "files/file.h"
#include "base/unicode.h"

/* The mapped files, for the handler; each shard is one. Beyond these the handler cannot
 * name the file. */
static struct {
    const char *begin; /* NULL: free */
    size_t bytes;
    Printable path;
} maps[256];
enum { MOST_MAPS = sizeof maps / sizeof *maps };

static struct sigaction before;

static void say(const char *text) {
    /* nothing can be done about it here */
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

/* Calls only functions that are safe in a signal handler. */
static void on_bus_error(int number, siginfo_t *info, void *context) {
    (void)context;
    const char *at = info->si_addr;
    for (size_t i = 0; i < MOST_MAPS; i++) {
        if (!maps[i].begin || at < maps[i].begin || at >= maps[i].begin + maps[i].bytes)
            continue;
        say(error_program());
        say(": file '");
        say(maps[i].path.text);
        say("': was cut short while it was being read\n");
        _exit(EXIT_INPUT);
    }
    /* Not our mapping: restores the old handler, and the instruction faults again. */
    sigaction(number, &before, NULL);
}

static void watch(void) {
    static bool watching;
    if (watching) return;
    watching = true;
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &action, &before);
}

void *file_map(const char *path, const char *what, size_t *bytes) {
    off_t size;
    int descriptor = open_regular(path, &size);
    if (descriptor < 0) die("file '%s': is a directory, expected %s", path, what);
    *bytes = (size_t)size;
    if ((off_t)*bytes != size)
        die("file '%s': is too large for this machine's addresses", path);
    if (*bytes == 0) die("file '%s': is empty, expected %s", path, what);
    void *map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (map == MAP_FAILED) die("cannot map '%s': %s", path, strerror(errno));
    close(descriptor);
    file_expect_content(path, map, *bytes, false);
    watch();
    for (size_t i = 0; i < MOST_MAPS; i++) {
        if (maps[i].begin) continue;
        maps[i].begin = map;
        maps[i].bytes = *bytes;
        maps[i].path = printable(path, PRINTABLE_MOST);
        break;
    }
    return map;
}

static bool is_mapped(const char *from, size_t bytes) {
    for (size_t i = 0; i < MOST_MAPS; i++) {
        const char *begin = maps[i].begin;
        if (!begin) continue;
        const char *end = begin + maps[i].bytes;
        if (from >= begin && from <= end && bytes <= (size_t)(end - from)) return true;
    }
    return false;
}

void file_map_release(const void *from, size_t bytes) {
    if (!is_mapped(from, bytes)) return; /* other memory would lose what it holds */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)from,
              first = (begin + page - 1) / page * page,
              end = (begin + bytes) / page * page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}

void file_unmap(void *map, size_t bytes) {
    for (size_t i = 0; i < MOST_MAPS; i++)
        if (maps[i].begin == map) maps[i].begin = NULL;
    munmap(map, bytes);
}
