/* Files: see file.h. Writing them is file_write.c. */
#include "files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* To the end of the stream; `most` bytes are too many. */
static char *read_stream(FILE *stream, const char *path, size_t most, size_t *size) {
    size_t used = 0, capacity = 1 << 16;
    char *data = checked_alloc(capacity, 1);
    for (;;) {
        used += fread(data + used, 1, capacity - used, stream);
        if (used < capacity) break;
        if (used > most)
            die("file '%s': has more than %zu bytes, the most that is read", path,
                most);
        capacity = size_mul(capacity, 2);
        data = checked_realloc(data, capacity, 1);
    }
    if (ferror(stream)) die("cannot read '%s': %s", path, strerror(errno));
    data[used] = 0; /* used < capacity */
    *size = used;
    return data;
}

char *file_read(const char *path, size_t *size) {
    enum { OF_A_DEVICE = (1 << 16) - 1 }; /* /dev/null ends, /dev/zero does not */
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) die("cannot open '%s': %s", path, strerror(errno));
    struct stat status;
    bool device = fstat(fileno(stream), &status) == 0 && S_ISCHR(status.st_mode) &&
                  !isatty(fileno(stream));
    if (device && !standard)
        die("'%s' is a device, expected a file, a pipe or a terminal", path);
    char *data = read_stream(stream, path, device ? OF_A_DEVICE : SIZE_MAX, size);
    if (!standard) fclose(stream);
    return data;
}

int open_regular(const char *path, off_t *bytes) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        die("cannot open '%s': %s", path, strerror(errno));
    *bytes = status.st_size;
    if (S_ISREG(status.st_mode)) return descriptor;
    close(descriptor);
    if (!S_ISDIR(status.st_mode)) die("file '%s': is not a regular file", path);
    return -1;
}

char *file_read_regular(const char *path, size_t most, size_t *size) {
    off_t bytes;
    int descriptor = open_regular(path, &bytes);
    if (descriptor < 0) die("cannot read '%s': %s", path, strerror(EISDIR));
    if (bytes > (off_t)most)
        die("file '%s': has %lld bytes, expected at most %zu", path, (long long)bytes,
            most);
    FILE *stream = fdopen(descriptor, "rb");
    if (!stream) die("cannot open '%s': %s", path, strerror(errno));
    char *data = read_stream(stream, path, most, size);
    fclose(stream);
    return data;
}

void file_expect_content(const char *path, const char *data, size_t bytes, bool text) {
    static const char pointer[] = "version https://git-lfs";
    if (bytes >= strlen(pointer) && memcmp(data, pointer, strlen(pointer)) == 0)
        die("file '%s': is a Git LFS pointer, not the file itself (git lfs pull "
            "fetches it)",
            path);
    if (text && bytes >= 2 &&
        (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        die("file '%s': is UTF-16, expected UTF-8", path);
}

void output_flush(void) {
    if (fflush(stdout) != 0 || ferror(stdout))
        die("cannot write to standard output: %s", strerror(errno));
}

/* Without a name "/vocab.json" would be meant: --out "$UNSET" shall not write into the
 * root. */
static void expect_name(const char *directory) {
    if (!*directory) die("directory '': the name is empty");
}

char *path_join(const char *directory, const char *name) {
    expect_name(directory);
    char *path = checked_alloc(strlen(directory) + strlen(name) + 2, 1);
    sprintf(path, "%s/%s", directory, name);
    return path;
}

char *path_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return checked_strdup(".");
    size_t bytes = slash > path ? (size_t)(slash - path) : 1;
    char *directory = checked_alloc(bytes + 1, 1);
    memcpy(directory, path, bytes);
    return directory;
}

void make_directory(const char *path) {
    expect_name(path);
    char *copy = checked_strdup(path);
    for (char *p = copy + 1;; p++) {
        if (*p && *p != '/') continue;
        char end = *p;
        *p = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            die("cannot create the directory '%s': %s", copy, strerror(errno));
        *p = end;
        if (!end) break;
    }
    free(copy);
}
