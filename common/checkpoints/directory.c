/* Directories whose files change together: see directory.h. */
#include "checkpoints/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"

enum { MOST_FILES = 16 };

struct Directory {
    char *path;
    int lock; /* the directory itself, open and locked */
    FileWriter *files[MOST_FILES];
    const char *names[MOST_FILES]; /* as they were added */
    size_t n_files;
    const char *removed[MOST_FILES];
    size_t n_removed;
};

/* Pairs of strings, each with its NUL: the temporary name ("" for a file to remove) and
 * the name. Names without a slash are in the directory; a link may lead elsewhere. */
static const char journal_name[] = ".unfinished-save";

/* --- the lock --- */

/* The process that holds the lock, from the system's list of locks: "N: FLOCK ADVISORY
 * WRITE PID MAJOR:MINOR:INODE ..."; 0 if the list does not tell. */
static long lock_holder(int directory) {
#ifdef __linux__
    struct stat status;
    FILE *locks = fopen("/proc/locks", "r");
    long holder = 0;
    char line[256];
    while (locks && fstat(directory, &status) == 0 && fgets(line, sizeof line, locks)) {
        long pid;
        unsigned major_number, minor_number;
        unsigned long long inode;
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid, &major_number,
                   &minor_number, &inode) == 4 &&
            inode == status.st_ino &&
            makedev(major_number, minor_number) == status.st_dev && pid > 0)
            holder = pid;
    }
    if (locks) fclose(locks);
    return holder;
#else
    (void)directory;
    return 0;
#endif
}

/* "process 123 (11-training)", as far as the system tells. */
static void describe_process(char *text, size_t bytes, long pid) {
    if (!pid) return;
    char path[40], name[17] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%16[^\n]", name) == 1) {
        snprintf(text, bytes, "process %ld (%s)", pid, name);
    } else {
        snprintf(text, bytes, "process %ld", pid);
    }
    if (file) fclose(file);
}

static int open_locked(const char *path) {
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) die("cannot open the directory '%s': %s", path, strerror(errno));
    if (flock(directory, LOCK_EX | LOCK_NB) == 0) return directory;
    if (errno != EWOULDBLOCK) {
        int reason = errno;
        error_begin_line();
        fprintf(stderr,
                "%s: cannot lock the directory '%s' (%s): make sure that nobody else "
                "writes there\n",
                error_program(), printable(path, PRINTABLE_MOST).text,
                strerror(reason));
        return directory;
    }
    char who[60] = "another process";
    describe_process(who, sizeof who, lock_holder(directory));
    die("directory '%s': %s is writing there; wait for its end, or choose another "
        "directory",
        path, who);
}

/* --- the journal --- */

static char *resolve_path(const char *directory, const char *name) {
    return strchr(name, '/') ? checked_strdup(name) : path_join(directory, name);
}

/* One line of the journal. A temporary file that is not there was renamed before the
 * interruption. */
static void apply(const char *directory, const char *temporary, const char *name) {
    char *to = resolve_path(directory, name);
    int failed;
    if (*temporary) {
        char *from = resolve_path(directory, temporary);
        failed = rename(from, to);
        free(from);
    } else {
        failed = unlink(to);
    }
    if (failed && errno != ENOENT)
        die("directory '%s': a save cannot be finished: '%s': %s", directory, to,
            strerror(errno));
    if (strchr(name, '/')) {
        char *elsewhere = path_directory(to);
        sync_directory(elsewhere);
        free(elsewhere);
    }
    free(to);
}

/* Carries out the journal, if there is one. Twice does no harm. */
static void apply_journal(const char *directory) {
    enum { MOST_BYTES = 1 << 20 };
    char *path = path_join(directory, journal_name);
    if (access(path, F_OK) == 0) {
        size_t bytes;
        char *text = file_read_regular(path, MOST_BYTES, &bytes), *end = text + bytes;
        for (char *at = text; at < end;) {
            char *name = at + strlen(at) + 1;
            if (name >= end || name + strlen(name) >= end || !*name)
                die("file '%s': expected pairs of names; remove it to go on without "
                    "finishing that save",
                    path);
            apply(directory, at, name);
            at = name + strlen(name) + 1;
        }
        free(text);
        sync_directory(directory);
        if (unlink(path) != 0 && errno != ENOENT)
            die("cannot remove '%s': %s", path, strerror(errno));
        sync_directory(directory);
    }
    free(path);
}

/* A writer that is about to finish needs a moment: its journal stands for
 * milliseconds. */
void directory_finish(const char *directory) {
    enum { TRIES = 1000 };
    char *path = path_join(directory, journal_name);
    for (int i = 0; access(path, F_OK) == 0; i++) {
        int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        bool ours =
            lock >= 0 && (flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
        if (ours || i == TRIES) apply_journal(directory);
        if (lock >= 0) close(lock);
        if (!ours) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    free(path);
}

bool directory_has(const char *directory, const char *name) {
    char *path = path_join(directory, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* --- changes --- */

Directory *directory_open(const char *path) {
    make_directory(path);
    Directory *d = checked_alloc(1, sizeof *d);
    d->path = checked_strdup(path);
    d->lock = open_locked(path);
    apply_journal(path);
    expect_writable(path);
    return d;
}

static FileWriter begin(const Directory *d, const char *name) {
    char *path = path_join(d->path, name);
    if (is_device_or_pipe(path))
        die("cannot write '%s': it is a device or a pipe, expected a file", path);
    FileWriter w = file_begin(path);
    free(path);
    return w;
}

void directory_expect_writable(const Directory *d, const char *name) {
    FileWriter w = begin(d, name);
    file_discard(&w);
}

FileWriter *directory_add(Directory *d, const char *name) {
    if (d->n_files == MOST_FILES)
        die("directory '%s': more than %d files", d->path, MOST_FILES);
    FileWriter *w = checked_alloc(1, sizeof *w);
    *w = begin(d, name);
    d->names[d->n_files] = name;
    return d->files[d->n_files++] = w;
}

bool directory_checksum(const Directory *d, const char *name,
                        char text[CHECKSUM_TEXT]) {
    for (size_t i = 0; i < d->n_files; i++) {
        if (strcmp(d->names[i], name) != 0) continue;
        file_flush(d->files[i]);
        checksum_of_file(d->files[i]->temporary, text);
        return true;
    }
    return false;
}

void directory_remove(Directory *d, const char *name) {
    if (d->n_removed == MOST_FILES)
        die("directory '%s': more than %d files", d->path, MOST_FILES);
    char *path = path_join(d->path, name);
    if (access(path, F_OK) == 0) d->removed[d->n_removed++] = name;
    free(path);
}

/* The path as the journal has it: a name of the directory, or where a link leads, from
 * the root. */
static const char *journal_path(const Directory *d, const char *path) {
    size_t n = strlen(d->path);
    bool inside =
        strncmp(path, d->path, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/');
    return inside ? path + n + 1 : path;
}

static void write_name(FileWriter *journal, const char *name) {
    file_write(journal, name, strlen(name) + 1);
}

void directory_commit(Directory *d) {
    char *path = path_join(d->path, journal_name);
    for (size_t i = 0; i < d->n_files; i++) file_complete(d->files[i]);
    FileWriter journal = file_begin(path);
    for (size_t i = 0; i < d->n_files; i++) {
        const FileWriter *w = d->files[i];
        write_name(&journal, journal_path(d, w->temporary));
        write_name(&journal, journal_path(d, w->path));
    }
    for (size_t i = 0; i < d->n_removed; i++) {
        write_name(&journal, "");
        write_name(&journal, d->removed[i]);
    }
    file_complete(&journal);
    if (rename(journal.temporary, path) != 0)
        die("cannot write '%s': %s; '%s' is as it was", path, strerror(errno), d->path);
    /* From here on the temporary files are needed, however this process ends. */
    for (size_t i = 0; i < d->n_files; i++) file_forget(d->files[i]);
    file_forget(&journal);
    sync_directory(d->path);
    apply_journal(d->path);

    for (size_t i = 0; i < d->n_files; i++) {
        free(d->files[i]->path);
        free(d->files[i]);
    }
    d->n_files = d->n_removed = 0;
    free(journal.path);
    free(path);
}

void directory_close(Directory *d) {
    if (d->n_files || d->n_removed) directory_commit(d);
    close(d->lock);
    free(d->path);
    free(d);
}
