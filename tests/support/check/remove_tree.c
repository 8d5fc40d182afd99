/* Directories of tests: see remove_tree.h. */
#include "check/remove_tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "files/file.h"

char scratch[] = "/tmp/test-XXXXXX", scratch_file[] = "/tmp/test-XXXXXX/file";

char *new_directory(void) {
    char *directory = checked_strdup("/tmp/test-XXXXXX");
    if (!mkdtemp(directory)) die("cannot make a directory in /tmp");
    return directory;
}

void scratch_begin(void) {
    char *made = new_directory();
    memcpy(scratch, made, strlen(made));
    memcpy(scratch_file, made, strlen(made));
    free(made);
}

void scratch_enter(void) {
    scratch_begin();
    if (chdir(scratch) != 0) die("cannot go to %s", scratch);
}

void scratch_end(void) {
    remove_tree(scratch);
}

void put_file(const char *path, const void *data, size_t n) {
    FileWriter w = file_begin(path);
    file_write(&w, data, n);
    file_commit(&w);
}

void remove_tree(const char *directory) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", directory);
}

size_t count_files(const char *directory) {
    size_t n = 0;
    DIR *list = opendir(directory);
    for (struct dirent *entry; list && (entry = readdir(list));)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (list) closedir(list);
    return n;
}
