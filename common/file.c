/* Files: see file.h. */
#include "file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"

char *file_read(const char *path, size_t *size) {
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!stream) die("cannot open '%s': %s", path, strerror(errno));
    size_t used = 0, capacity = 1 << 16;
    char *data = checked_alloc(capacity, 1);
    for (;;) {
        used += fread(data + used, 1, capacity - used, stream);
        if (used < capacity) break;
        capacity = size_mul(capacity, 2);
        data = checked_realloc(data, capacity, 1);
    }
    if (ferror(stream)) die("cannot read '%s': %s", path, strerror(errno));
    if (stream != stdin) fclose(stream);
    data[used] = 0; /* used < capacity */
    *size = used;
    return data;
}

static bool is_link(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static bool is_device_or_pipe(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

FileWriter file_begin(const char *path) {
    char *target = is_link(path) ? realpath(path, NULL) : NULL; /* NULL too where a link leads nowhere */
    FileWriter w = {.path = target ? target : checked_strdup(path)};
    w.temporary = checked_alloc(strlen(w.path) + 5, 1);
    w.in_place = is_device_or_pipe(w.path);
    sprintf(w.temporary, w.in_place ? "%s" : "%s.tmp", w.path);
    w.stream = fopen(w.temporary, "wb");
    if (!w.stream) die("cannot write '%s': %s", w.temporary, strerror(errno));
    return w;
}

static _Noreturn void give_up(FileWriter *w) {
    int reason = errno;
    if (w->in_place) die("cannot write '%s': %s", w->path, strerror(reason));
    unlink(w->temporary);
    die("cannot write '%s': %s; '%s' is as it was", w->temporary, strerror(reason), w->path);
}

void file_write(FileWriter *w, const void *data, size_t bytes) {
    if (fwrite(data, 1, bytes, w->stream) != bytes) give_up(w);
}

void file_printf(FileWriter *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vfprintf(w->stream, format, arguments);
    va_end(arguments);
    if (written < 0) give_up(w);
}

/* The rename itself is on the disk only when its directory is. */
static void sync_directory_of(char *path) {
    char *slash = strrchr(path, '/');
    if (slash && slash > path) *slash = 0;
    int directory = open(slash ? path : ".", O_RDONLY);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

void file_commit(FileWriter *w) {
    bool written = fflush(w->stream) == 0;
    if (w->in_place) {
        if (!written || fclose(w->stream) != 0) give_up(w);
    } else {
        if (!written || fsync(fileno(w->stream)) != 0) give_up(w);
        if (fclose(w->stream) != 0 || rename(w->temporary, w->path) != 0) give_up(w);
        sync_directory_of(w->path);
    }
    free(w->path);
    free(w->temporary);
}

void output_flush(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to standard output: %s", strerror(errno));
}

/* Without a name "/vocab.json" would be meant: --out "$UNSET" shall not write into the root. */
static void expect_name(const char *directory) {
    if (!*directory) die("directory '': the name is empty");
}

char *path_join(const char *directory, const char *name) {
    expect_name(directory);
    char *path = checked_alloc(strlen(directory) + strlen(name) + 2, 1);
    sprintf(path, "%s/%s", directory, name);
    return path;
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
