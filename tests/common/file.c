/* Tests of common/file: whole files in, and writing that never costs an existing file. */
#include "file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "dies.h"
#include "error.h"
#include "remove_tree.h"

static char directory[] = "/tmp/test-file-XXXXXX";

static void enter(void) {
    cr_assert(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void leave(void) {
    remove_tree(directory);
}

TestSuite(file, .init = enter, .fini = leave, .timeout = 10);

static void write_text(const char *path, const char *text) {
    FileWriter w = file_begin(path);
    file_write(&w, text, strlen(text));
    file_commit(&w);
}

static void expect_text(const char *path, const char *text) {
    size_t size;
    char *data = file_read(path, &size);
    CHECK(size == strlen(text) && strcmp(data, text) == 0, "%s holds \"%s\", expected \"%s\"", path, data,
          text);
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
        for (size_t i = 0; i < sizes[s]; i++) data[i] = (unsigned char)(i * 7 + i / 256);
        FileWriter w = file_begin("large");
        file_write(&w, data, sizes[s]);
        file_commit(&w);
        size_t size;
        char *back = file_read("large", &size);
        CHECK(size == sizes[s] && memcmp(back, data, size) == 0, "%zu bytes do not come back", sizes[s]);
        CHECK(back[size] == 0, "no NUL byte behind the data");
        free(data), free(back);
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
    CHECK(!exists("model.tmp"), "the temporary file is left");
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
    write_text("model", "new"); /* and what it left does not get in the way */
    expect_text("model", "new");
}

/* The device that is always full. */
static void fill_the_disk(void *unused) {
    (void)unused;
    FileWriter w = file_begin("model");
    w.stream = freopen("/dev/full", "wb", w.stream);
    static const char zeros[1 << 16];
    file_write(&w, zeros, sizeof zeros);
    file_commit(&w);
}

Test(file, full_disk_leaves_the_old_file) {
    if (!exists("/dev/full")) cr_skip_test("there is no /dev/full here");
    write_text("model", "old");
    expect_exit(EXIT_INPUT, "cannot write 'model.tmp': No space left on device; 'model' is as it was",
                fill_the_disk, NULL);
    expect_text("model", "old");
    CHECK(!exists("model.tmp"), "the temporary file is left");
}

/* Renaming a file over a link would leave the old file and lose the link. */
Test(file, links_stay_links) {
    struct stat status;
    make_directory("elsewhere");
    write_text("elsewhere/model", "old");
    CHECK(symlink("elsewhere/model", "link") == 0, "no links here");
    write_text("link", "new");
    expect_text("elsewhere/model", "new");
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode), "the link was replaced");
    CHECK(!exists("link.tmp") && !exists("elsewhere/model.tmp"), "a temporary file is left");
}

/* A pipe stands for all that can be written but not replaced, such as /dev/stdout. */
Test(file, pipes_are_written_in_place) {
    struct stat status;
    char text[4] = "";
    CHECK(mkfifo("pipe", 0600) == 0, "no pipes here");
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    write_text("pipe", "abc");
    CHECK(read(reader, text, 3) == 3 && strcmp(text, "abc") == 0, "the pipe holds \"%s\", expected \"abc\"",
          text);
    CHECK(stat("pipe", &status) == 0 && S_ISFIFO(status.st_mode), "the pipe was replaced by a file");
    CHECK(!exists("pipe.tmp"), "a temporary file is left");
}

static void read_file(void *path) {
    size_t size;
    free(file_read(path, &size));
}

static void begin_file(void *path) {
    file_begin(path);
}

static void make(void *path) {
    make_directory(path);
}

static void join(void *name) {
    path_join(name, "file");
}

Test(file, says_which_file_and_why) {
    expect_exit(EXIT_INPUT, "cannot open 'nowhere': No such file or directory", read_file, "nowhere");
    expect_exit(EXIT_INPUT, "cannot read '.': Is a directory", read_file, ".");
    expect_exit(EXIT_INPUT, "cannot write 'no/where.tmp'", begin_file, "no/where");
    write_text("plain", "x");
    expect_exit(EXIT_INPUT, "cannot create the directory 'plain/below", make, "plain/below");
    expect_exit(EXIT_INPUT, "directory '': the name is empty", make, "");
    expect_exit(EXIT_INPUT, "directory '': the name is empty", join, "");
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
