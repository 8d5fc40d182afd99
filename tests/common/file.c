/* Tests of common/file: whole files in, and writing that never costs an existing
 * file. */
#include "files/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/remove_tree.h"

TestSuite(file, .init = scratch_enter, .fini = scratch_end, .timeout = 10);

static void write_text(const char *path, const char *text) {
    FileWriter w = file_begin(path);
    file_write(&w, text, strlen(text));
    file_commit(&w);
}

static void expect_text(const char *path, const char *text) {
    size_t size;
    char *data = file_read(path, &size);
    CHECK(size == strlen(text) && strcmp(data, text) == 0,
          "%s holds \"%s\", expected \"%s\"", path, data, text);
    free(data);
}

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

Test(file, reads_what_was_written) {
    write_text("a", "one\ntwo");
    expect_text("a", "one\ntwo");
    write_text("a", "");
    expect_text("a", "");
    FileWriter w = file_begin("b");
    file_printf(&w, "%d,%s\n", 7, "x");
    file_commit(&w);
    expect_text("b", "7,x\n");
}

/* Sizes around the reader's buffer, and bytes of every value. */
Test(file, reads_large_binary_files) {
    size_t sizes[] = {65535, 65536, 65537, 1000000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned char *data = malloc(sizes[s]);
        for (size_t i = 0; i < sizes[s]; i++)
            data[i] = (unsigned char)(i * 7 + i / 256);
        FileWriter w = file_begin("large");
        file_write(&w, data, sizes[s]);
        file_commit(&w);
        size_t size;
        char *back = file_read("large", &size);
        CHECK(size == sizes[s] && memcmp(back, data, size) == 0,
              "%zu bytes do not come back", sizes[s]);
        CHECK(back[size] == 0, "no NUL byte behind the data");
        free(data);
        free(back);
    }
}

/* Until the commit the old file is there, whole: a crash in between costs nothing. */
Test(file, old_file_stays_until_the_commit) {
    write_text("model", "old");
    FileWriter w = file_begin("model");
    file_write(&w, "new", 3);
    fflush(w.stream);
    expect_text("model", "old");
    file_commit(&w);
    expect_text("model", "new");
    CHECK(count_files(".") == 1, "the temporary file is left");
}

static void end_in_the_middle(void *unused) {
    (void)unused;
    FileWriter w = file_begin("model");
    file_write(&w, "half", 4);
    exit(0);
}

Test(file, program_that_ends_early_leaves_the_old_file) {
    write_text("model", "old");
    expect_exit(0, "", end_in_the_middle, NULL);
    expect_text("model", "old");
    CHECK(count_files(".") == 1, "the temporary file is left");
}

static void move_and_commit(void *unused) {
    (void)unused;
    FileWriter w = file_begin("here/model");
    rename("here", "there");
    file_commit(&w);
}

Test(file, a_directory_that_is_moved_away_keeps_no_temporary_file) {
    make_directory("here");
    expect_exit(EXIT_INPUT, "cannot write 'here/model': No such file", move_and_commit,
                NULL);
    CHECK(exists("there") && count_files("there") == 0, "the temporary file is left");
}

/* Temporary files of a killed program are removed when the next one writes; a living
 * one's stay. */
Test(file, leftovers_of_killed_programs_are_removed) {
    int ready[2];
    CHECK(pipe(ready) == 0, "no pipe");
    pid_t child = fork();
    if (child == 0) {
        FileWriter w = file_begin("model");
        file_write(&w, "half", 4);
        if (write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    char byte;
    CHECK(read(ready[0], &byte, 1) == 1, "the child does not write");
    write_text("model", "new");
    CHECK(count_files(".") == 2,
          "%zu files, expected the new one and what a living writer has",
          count_files("."));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    write_text("model", "newer");
    expect_text("model", "newer");
    CHECK(count_files(".") == 1, "the temporary file of a killed program is left");
}

/* Links with the names of temporary files lead nowhere: they are not followed. */
Test(file, planted_links_are_not_followed) {
    write_text("precious", "old");
    for (int i = 0; i < 3; i++) {
        char name[60];
        snprintf(name, sizeof name, "model.tmp-%ld-%d", (long)getpid(), i);
        CHECK(symlink("precious", name) == 0, "no links here");
    }
    write_text("model", "new");
    expect_text("model", "new");
    expect_text("precious", "old");
}

/* The device that is always full, or files of 1000 bytes at most. */
static void write_too_much(void *device) {
    FileWriter w = file_begin("model");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000});
    if (device) w.stream = freopen(device, "wb", w.stream);
    static const char zeros[1 << 16];
    file_write(&w, zeros, sizeof zeros);
    file_commit(&w);
}

static void check_full(const char *device, const char *message) {
    write_text("model", "old");
    expect_exit(EXIT_INPUT, message, write_too_much, (void *)device);
    expect_text("model", "old");
    CHECK(count_files(".") == 1, "the temporary file is left");
}

Test(file, full_disk_leaves_the_old_file) {
    if (!exists("/dev/full")) cr_skip_test("there is no /dev/full here");
    check_full("/dev/full",
               "cannot write 'model': No space left on device; it is as it was");
}

Test(file, size_limit_leaves_the_old_file) {
    check_full(NULL, "cannot write 'model': File too large; it is as it was");
}

/* Renaming a file over a link would leave the old file and lose the link. */
Test(file, links_stay_links) {
    struct stat status;
    make_directory("elsewhere");
    write_text("elsewhere/model", "old");
    CHECK(symlink("elsewhere/model", "link") == 0, "no links here");
    write_text("link", "new");
    expect_text("elsewhere/model", "new");
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode),
          "the link was replaced");
    CHECK(count_files(".") == 2 && count_files("elsewhere") == 1,
          "a temporary file is left");
}

static void begin_file(void *path) {
    file_begin(path);
}

static void check_directory(void *path) {
    expect_writable(path);
}

/* A link that leads nowhere may lead to a disk that is not there at the moment. */
Test(file, link_to_nowhere_is_not_replaced) {
    struct stat status;
    CHECK(symlink("nowhere", "link") == 0, "no links here");
    expect_exit(EXIT_INPUT,
                "cannot write 'link': it is a link, and where it leads: No such file",
                begin_file, "link");
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode),
          "the link was replaced");
    CHECK(count_files(".") == 1, "a file was made");
}

/* A pipe stands for all that can be written but not replaced, such as /dev/stdout. */
Test(file, pipes_are_written_in_place) {
    struct stat status;
    char text[4] = "";
    CHECK(mkfifo("pipe", 0600) == 0, "no pipes here");
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    write_text("pipe", "abc");
    CHECK(read(reader, text, 3) == 3 && strcmp(text, "abc") == 0,
          "the pipe holds \"%s\", expected \"abc\"", text);
    CHECK(stat("pipe", &status) == 0 && S_ISFIFO(status.st_mode),
          "the pipe was replaced by a file");
    CHECK(count_files(".") == 1, "a temporary file is left");
}

static void read_file(void *path) {
    size_t size;
    free(file_read(path, &size));
}

static void read_regular_file(void *path) {
    size_t size;
    free(file_read_regular(path, 10, &size));
}

static void make(void *path) {
    make_directory(path);
}

static void join(void *name) {
    path_join(name, "file");
}

Test(file, says_which_file_and_why) {
    expect_exit(EXIT_INPUT, "cannot open 'nowhere': No such file or directory",
                read_file, "nowhere");
    expect_exit(EXIT_INPUT, "cannot read '.': Is a directory", read_file, ".");
    expect_exit(EXIT_INPUT, "cannot write 'no/where': No such file", begin_file,
                "no/where");
    write_text("plain", "x");
    expect_exit(EXIT_INPUT, "cannot write '.': Is a directory", begin_file, ".");
    expect_exit(EXIT_INPUT, "cannot write in the directory 'plain': Not a directory",
                check_directory, "plain");
    expect_exit(EXIT_INPUT, "cannot create the directory 'plain/below", make,
                "plain/below");
    expect_exit(EXIT_INPUT, "directory '': the name is empty", make, "");
    expect_exit(EXIT_INPUT, "directory '': the name is empty", join, "");
}

/* Neither waits for ever nor eats the memory. */
Test(file, what_is_no_file_is_refused) {
    CHECK(mkfifo("pipe", 0600) == 0, "no pipes here");
    write_text("long", "eleven byte");
    write_text("ten", "ten bytes.");
    expect_exit(EXIT_INPUT, "file 'pipe': is not a regular file", read_regular_file,
                "pipe");
    expect_exit(EXIT_INPUT, "file '/dev/zero': is not a regular file",
                read_regular_file, "/dev/zero");
    expect_exit(EXIT_INPUT, "cannot read '.': Is a directory", read_regular_file, ".");
    expect_exit(EXIT_INPUT, "file 'long': has 11 bytes, expected at most 10",
                read_regular_file, "long");
    expect_exit(0, "", read_regular_file, "ten");
    expect_exit(EXIT_INPUT, "'/dev/zero' is a device, expected a file", read_file,
                "/dev/zero");
    CHECK(freopen("/dev/zero", "rb", stdin), "no /dev/zero here");
    expect_exit(EXIT_INPUT, "file '-': has more than 65535 bytes", read_file, "-");
    CHECK(freopen("/dev/null", "rb", stdin), "no /dev/null here");
    expect_exit(0, "", read_file, "-");
}

Test(file, directories_with_those_above) {
    make_directory("a/b/c");
    make_directory("a/b/c"); /* again is no error */
    make_directory("a/b/d/");
    struct stat info;
    CHECK(stat("a/b/c", &info) == 0 && S_ISDIR(info.st_mode), "a/b/c was not created");
    CHECK(stat("a/b/d", &info) == 0 && S_ISDIR(info.st_mode), "a/b/d was not created");
    char *path = path_join("a/b", "c");
    cr_assert_str_eq(path, "a/b/c");
    free(path);
}
