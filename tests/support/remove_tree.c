/* Removing directories: see remove_tree.h. */
#include "remove_tree.h"

#include <stdio.h>
#include <stdlib.h>

void remove_tree(const char *directory) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", directory);
}
