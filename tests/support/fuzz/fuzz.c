/* Readers and what may be thrown at them: see fuzz.h. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"
#include "check/remove_tree.h"

static char directory[100];
static pid_t owner;

static void remove_directory(void) {
    if (getpid() == owner) remove_tree(directory);
}

/* In memory where the system has such a place: a fuzzer writes thousands of files a
 * second. */
static void make_temporary_directory(void) {
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(directory, sizeof directory, "%s/fuzz-XXXXXX", base);
    if (!mkdtemp(directory)) die("cannot make a directory in %s", base);
    owner = getpid();
    atexit(remove_directory);
}

const char *fuzz_path(const char *name) {
    static char paths[4][200];
    static size_t next;
    if (!*directory) make_temporary_directory();
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

const char *fuzz_write(const char *name, const void *data, size_t size) {
    const char *path = fuzz_path(name);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        die("cannot write '%s'", path);
    close(descriptor);
    return path;
}

char *fuzz_text(const char *data, size_t size) {
    char *text = checked_alloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    return text;
}

char *fuzz_damaged(const char *good, size_t *good_size, const char *data, size_t size) {
    enum { CUT = 65535 };
    char *bytes = fuzz_text(good, *good_size);
    for (size_t i = 0; i + 3 <= size && *good_size; i += 3) {
        size_t place = (unsigned char)data[i] + 256u * (unsigned char)data[i + 1];
        if (place == CUT)
            *good_size = *good_size * (unsigned char)data[i + 2] / 256;
        else
            bytes[place % *good_size] = data[i + 2];
    }
    return bytes;
}

const char *fuzz_damage(const char *name, void (*make_good)(void), const char *data,
                        size_t size) {
    static char *good;
    static size_t good_size;
    if (!good) {
        make_good();
        good = file_read(fuzz_path(name), &good_size);
    }
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    const char *path = fuzz_write(name, bytes, n);
    free(bytes);
    return path;
}

#ifndef LIBFUZZER
typedef struct {
    void (*target)(const char *data, size_t size);
    char *data;
    size_t size;
} Input;

static void give(void *input) {
    const Input *in = input;
    in->target(in->data, in->size);
}

static bool is_one_line(const char *message) {
    size_t n = strlen(message);
    for (size_t i = 0; i + 1 < n; i++)
        if ((unsigned char)message[i] < 0x20 || message[i] == 0x7f) return false;
    return n > 1 && message[n - 1] == '\n';
}

static void replay_file(const char *path, const char *name,
                        void (*target)(const char *data, size_t size)) {
    Input input = {.target = target};
    input.data = file_read(path, &input.size);
    char message[1024];
    int code = exit_code_of(give, &input, message);
    cr_expect(code == 0 || code == EXIT_INPUT, "%s: exit code %d; printed: %s", path,
              code, message);
    cr_expect(code != 0 || strncmp(name, "bad-", 4) != 0, "%s: is accepted", path);
    cr_expect(code == 0 || strncmp(name, "good-", 5) != 0, "%s: is refused: %s", path,
              message);
    if (code == 0)
        cr_expect_str_empty(message, "%s: is accepted, but printed: %s", path, message);
    else
        cr_expect(is_one_line(message), "%s: expected one line, got: %s", path,
                  message);
    free(input.data);
}

void fuzz_replay(const char *name, void (*target)(const char *data, size_t size)) {
    char seeds[200], path[500];
    snprintf(seeds, sizeof seeds, "tests/fuzz/%s", name);
    struct dirent **entries;
    int n = scandir(seeds, &entries, NULL, alphasort), files = 0;
    fuzz_path("."); /* the directory belongs to this process, not to a child */
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", seeds, entries[i]->d_name);
            replay_file(path, entries[i]->d_name, target);
            files++;
        }
        free(entries[i]);
    }
    cr_assert(files > 0, "there are no files in %s", seeds);
    free(entries);
}
#endif
