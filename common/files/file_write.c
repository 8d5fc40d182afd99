/* Writing files: see file.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

/* --- temporary files: unfinished ones are removed when the program ends --- */

/* In static memory: they are needed when memory runs out. `owner`: a child process
 * leaves its parent's alone. `directory`: it may be moved while it is written to. */
static struct {
    char path[PATH_MAX];
    int directory; /* open; -1 where it cannot be read */
    pid_t owner;   /* 0: free */
} unfinished[16];
enum { MOST_UNFINISHED = sizeof unfinished / sizeof *unfinished };

static void remove_unfinished(size_t i) {
    const char *path = unfinished[i].path, *slash = strrchr(path, '/');
    if (unfinished[i].directory >= 0)
        unlinkat(unfinished[i].directory, slash ? slash + 1 : path, 0);
    else
        unlink(path);
}

void file_discard_unfinished(void) {
    for (size_t i = 0; i < MOST_UNFINISHED; i++) {
        if (unfinished[i].owner == getpid()) remove_unfinished(i);
        unfinished[i].owner = 0;
    }
}

void file_forget(FileWriter *w) {
    for (size_t i = 0; i < MOST_UNFINISHED; i++) {
        if (unfinished[i].path != w->temporary || !unfinished[i].owner) continue;
        unfinished[i].owner = 0;
        if (unfinished[i].directory >= 0) close(unfinished[i].directory);
    }
}

static int open_directory_of(const char *path) {
    char *directory = path_directory(path);
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(directory);
    return file;
}

/* Room for the name of a temporary file beside `path`. */
static char *remember(const char *path) {
    static bool prepared;
    if (!prepared) {
        prepared = true;
        atexit(file_discard_unfinished);
        signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of write,
                                     not the end */
    }
    for (size_t i = 0; i < MOST_UNFINISHED; i++) {
        if (unfinished[i].owner) continue;
        unfinished[i].owner = getpid();
        unfinished[i].directory = open_directory_of(path);
        *unfinished[i].path = 0;
        return unfinished[i].path;
    }
    die("more than %d files are being written at the same time", MOST_UNFINISHED);
}

static const char temporary_mark[] = ".tmp-";

/* Temporary files of `path` that no process holds locked: their writers were killed. */
static void remove_leftovers(const char *path) {
    char *directory = path_directory(path);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    DIR *list = opendir(directory);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strncmp(entry->d_name, name, n) != 0 ||
            strncmp(entry->d_name + n, temporary_mark, strlen(temporary_mark)) != 0)
            continue;
        int file = openat(dirfd(list), entry->d_name,
                          O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat status;
        if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
            flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(list), entry->d_name, 0);
        if (file >= 0) close(file);
    }
    if (list) closedir(list);
    free(directory);
}

/* A new file: O_EXCL follows no link and opens no other program's file. The lock says
 * that its writer lives; another writer may come between opening and locking, and
 * remove the file. */
static int open_temporary(char name[PATH_MAX], const char *path) {
    for (int attempt = 0; attempt < 100; attempt++) {
        int n = snprintf(name, PATH_MAX, "%s%s%ld-%d", path, temporary_mark,
                         (long)getpid(), attempt);
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file =
            open(name, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) return -1;
        struct stat status;
        bool locked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (locked && fstat(file, &status) == 0 && status.st_nlink > 0) return file;
        close(file);
    }
    errno = EEXIST;
    return -1;
}

/* --- one file --- */

bool is_device_or_pipe(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
           !S_ISDIR(status.st_mode);
}

/* The path, or where it leads to if it is a link. */
static char *target_of(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
        return checked_strdup(path);
    char *target = realpath(path, NULL);
    if (!target)
        die("cannot write '%s': it is a link, and where it leads: %s", path,
            strerror(errno));
    return target;
}

FileWriter file_begin(const char *path) {
    bool in_place = is_device_or_pipe(path);
    FileWriter w = {.path = in_place ? checked_strdup(path) : target_of(path)};
    struct stat status;
    if (stat(w.path, &status) == 0 && S_ISDIR(status.st_mode))
        die("cannot write '%s': %s", path, strerror(EISDIR));
    int file;
    if (in_place) {
        file = open(w.path, O_WRONLY | O_CLOEXEC);
    } else {
        remove_leftovers(w.path);
        char *temporary = remember(w.path);
        file = open_temporary(temporary, w.path);
        w.temporary = temporary;
        if (file < 0) file_forget(&w);
    }
    w.stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!w.stream) die("cannot write '%s': %s", path, strerror(errno));
    return w;
}

/* The temporary file goes with the program. */
static _Noreturn void give_up(FileWriter *w) {
    die("cannot write '%s': %s%s", w->path, strerror(errno),
        w->temporary ? "; it is as it was" : "");
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

void file_flush(FileWriter *w) {
    if (fflush(w->stream) != 0) give_up(w);
}

void file_complete(FileWriter *w) {
    file_flush(w);
    if (w->temporary && fsync(fileno(w->stream)) != 0) give_up(w);
    FILE *stream = w->stream;
    w->stream = NULL;
    if (fclose(stream) != 0) give_up(w);
}

void file_discard(FileWriter *w) {
    fclose(w->stream);
    if (w->temporary) {
        unlink(w->temporary);
        file_forget(w);
    }
    free(w->path);
}

void file_commit(FileWriter *w) {
    file_complete(w);
    if (w->temporary) {
        if (rename(w->temporary, w->path) != 0) give_up(w);
        file_forget(w);
        char *directory = path_directory(w->path);
        sync_directory(directory);
        free(directory);
    }
    free(w->path);
}

/* --- directories --- */

void sync_directory(const char *directory) {
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: this kind of disk cannot flush a directory, and needs no flush. */
    if (file < 0 || (fsync(file) != 0 && errno != EINVAL))
        die("cannot flush the directory '%s' to the disk: %s", directory,
            strerror(errno));
    close(file);
}

void expect_writable(const char *directory) {
    make_directory(directory);
    char *path = path_join(directory, ".writable");
    remove_leftovers(path);
    FileWriter w = {.temporary = remember(path)};
    int file = open_temporary((char *)w.temporary, path), reason = errno;
    if (file >= 0) {
        close(file);
        if (unlink(w.temporary) == 0) {
            file_forget(&w);
            free(path);
            return;
        }
        reason = errno;
    } else {
        file_forget(&w);
    }
    die("cannot write in the directory '%s': %s", directory, strerror(reason));
}
