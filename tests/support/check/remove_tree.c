/* Removing directories: see remove_tree.h. */
#include "check/remove_tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
