/* Tests of common/directory: files that change together or not at all. */
#include "checkpoints/directory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/remove_tree.h"

TestSuite(directory, .init = scratch_enter, .fini = scratch_end, .timeout = 60);

static void add(Directory *d, const char *name, const char *text) {
    file_printf(directory_add(d, name), "%s", text);
}

/* a = b = "old", and "gone"; new_model changes a and b, adds c, removes "gone". */
static void old_model(void) {
    Directory *d = directory_open("model");
    add(d, "a", "old");
    add(d, "b", "old");
    add(d, "gone", "old");
    directory_close(d);
}

static void add_new_model(Directory *d) {
    add(d, "a", "new");
    add(d, "b", "new");
    add(d, "c", "new");
    directory_remove(d, "gone");
    directory_remove(d, "never there");
}

static bool holds(const char *path, const char *text) {
    if (access(path, F_OK) != 0) return false;
    size_t size;
    char *got = file_read(path, &size);
    bool same = strcmp(got, text) == 0;
    free(got);
    return same;
}

static bool is_old(void) {
    return holds("model/a", "old") && holds("model/b", "old") &&
           holds("model/gone", "old") && access("model/c", F_OK) != 0;
}

static bool is_new(void) {
    return holds("model/a", "new") && holds("model/b", "new") &&
           holds("model/c", "new") && access("model/gone", F_OK) != 0;
}

Test(directory, changes_with_the_commit) {
    old_model();
    CHECK(is_old() && count_files("model") == 3,
          "what was written is not there, or more");
    Directory *d = directory_open("model");
    add_new_model(d);
    CHECK(is_old(), "the directory has changed before the commit");
    directory_commit(d);
    CHECK(is_new() && count_files("model") == 3,
          "the directory has not changed, or something is left");
    add(d, "c", "newer");
    directory_close(d);
    CHECK(holds("model/a", "new") && holds("model/c", "newer"),
          "a second commit is lost");
}

static void end_before_the_commit(void *unused) {
    (void)unused;
    add_new_model(directory_open("model"));
    die("the end");
}

Test(directory, program_that_ends_early_leaves_the_old_files) {
    old_model();
    expect_exit(EXIT_INPUT, "the end", end_before_the_commit, NULL);
    CHECK(is_old() && count_files("model") == 3,
          "the directory has changed, or something is left");
}

/* A journal on disk means that the change has happened: the next process finishes it,
 * from any state of the renames. */
static void interrupt_after(size_t renames) {
    old_model();
    Directory *d = directory_open("model");
    static const char *const name[] = {"a", "b", "c"};
    FileWriter journal = file_begin("model/.unfinished-save");
    for (size_t i = 0; i < 3; i++) {
        char temporary[20];
        snprintf(temporary, sizeof temporary, "%s.tmp-1-0", name[i]);
        char *path = path_join("model", i < renames ? name[i] : temporary);
        FileWriter w = file_begin(path);
        file_printf(&w, "new");
        file_commit(&w);
        free(path);
        file_write(&journal, temporary, strlen(temporary) + 1);
        file_write(&journal, name[i], strlen(name[i]) + 1);
    }
    if (renames > 3) unlink("model/gone");
    file_write(&journal, "\0gone", 6);
    file_commit(&journal);
    directory_close(d);
}

static void move_and_close(void *unused) {
    (void)unused;
    Directory *d = directory_open("model");
    add_new_model(d);
    rename("model", "moved");
    directory_close(d);
}

Test(directory, that_is_moved_away_is_as_it_was) {
    old_model();
    expect_exit(EXIT_INPUT, "cannot write 'model/", move_and_close, NULL);
    CHECK(rename("moved", "model") == 0 && is_old() && count_files("model") == 3,
          "the directory has changed, or temporary files are left");
}

Test(directory, interrupted_change_is_finished) {
    for (size_t renames = 0; renames <= 4; renames++) {
        interrupt_after(renames);
        directory_finish("model");
        CHECK(is_new() && count_files("model") == 3,
              "after %zu renames a reader does not do the rest", renames);
        unlink("model/c");
        interrupt_after(renames);
        directory_close(directory_open("model"));
        CHECK(is_new() && count_files("model") == 3,
              "after %zu renames a writer does not do the rest", renames);
        unlink("model/c");
    }
    directory_finish("nowhere");
}

static void finish(void *path) {
    directory_finish(path);
}

Test(directory, bad_journals_are_refused) {
    make_directory("model");
    static const struct {
        const char *bytes;
        size_t n;
    } bad[] = {{"a", 1}, {"a\0b", 3}, {"a\0", 2}, {"a\0\0", 3}, {"\0\0", 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_file("model/.unfinished-save", bad[i].bytes, bad[i].n);
        expect_exit(EXIT_INPUT,
                    "file 'model/.unfinished-save': expected pairs of names", finish,
                    "model");
    }
}

static void open_and_close(void *path) {
    directory_close(directory_open(path));
}

Test(directory, one_writer_at_a_time) {
    int ready[2];
    cr_assert_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        directory_open("model");
        if (write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    char byte;
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    char message[100];
    snprintf(message, sizeof message, "directory 'model': process %ld (", (long)child);
    expect_exit(EXIT_INPUT,
                access("/proc/locks", R_OK) == 0 ? message : "is writing there",
                open_and_close, "model");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    expect_exit(0, "", open_and_close, "model");
}

Test(directory, links_stay_links) {
    make_directory("elsewhere");
    old_model();
    cr_assert_eq(rename("model/b", "elsewhere/b"), 0);
    cr_assert_eq(symlink("../elsewhere/b", "model/b"), 0);
    Directory *d = directory_open("model");
    add_new_model(d);
    directory_close(d);
    CHECK(is_new() && holds("elsewhere/b", "new"),
          "what a link leads to is not written");
    CHECK(count_files("model") == 3 && count_files("elsewhere") == 1,
          "something is left");
}

static void add_new(void *path) {
    Directory *d = directory_open(path);
    add_new_model(d);
    directory_close(d);
}

/* A file that cannot be replaced cannot change together with others. */
Test(directory, members_are_files) {
    old_model();
    unlink("model/b");
    cr_assert_eq(symlink("/dev/null", "model/b"), 0);
    expect_exit(EXIT_INPUT,
                "cannot write 'model/b': it is a device or a pipe, expected a file",
                add_new, "model");
    CHECK(holds("model/a", "old") && count_files("model") == 3,
          "the directory has changed, or something is left");
    unlink("model/b");
    /* to open it would be to wait for a reader */
    cr_assert_eq(mkfifo("model/b", 0600), 0);
    expect_exit(EXIT_INPUT,
                "cannot write 'model/b': it is a device or a pipe, expected a file",
                add_new, "model");
    unlink("model/b");
    cr_assert_eq(symlink("nowhere", "model/b"), 0);
    expect_exit(
        EXIT_INPUT,
        "cannot write 'model/b': it is a link, and where it leads: No such file",
        add_new, "model");
    CHECK(holds("model/a", "old") && count_files("model") == 3,
          "the directory has changed, or something is left");
}

static void expect_b(void *path) {
    Directory *d = directory_open(path);
    directory_expect_writable(d, "b");
    directory_close(d);
}

Test(directory, members_are_looked_at_beforehand) {
    old_model();
    expect_exit(0, "", expect_b, "model");
    CHECK(is_old() && count_files("model") == 3, "looking has changed the directory");
    unlink("model/b");
    expect_exit(0, "", expect_b, "model");
    CHECK(count_files("model") == 2, "looking has changed the directory");
    cr_assert_eq(symlink("nowhere", "model/b"), 0);
    expect_exit(EXIT_INPUT, "cannot write 'model/b': it is a link", expect_b, "model");
}

/* Root may write anywhere; to others it is said before the work, not after. */
Test(directory, says_what_cannot_be_written) {
    FileWriter w = file_begin("plain");
    file_commit(&w);
    expect_exit(EXIT_INPUT,
                "cannot create the directory 'plain/below': Not a directory",
                open_and_close, "plain/below");
    expect_exit(EXIT_INPUT, "directory '': the name is empty", open_and_close, "");
    if (geteuid() == 0) return;
    make_directory("closed");
    chmod("closed", 0555);
    expect_exit(EXIT_INPUT, "cannot write in the directory 'closed': Permission denied",
                open_and_close, "closed");
}
