/* Files of a model with one place changed. */
#ifndef TESTS_18_CHANGED_H
#define TESTS_18_CHANGED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"

static char *const directory = scratch;

/* The golden tokenizer.json of a kind with a piece replaced, in the directory; its
 * path. */
static inline char *write_changed(const char *kind, const char *piece, const char *by) {
    char name[60], *path = path_join(directory, "tokenizer.json");
    snprintf(name, sizeof name, "llama_bpe/%s.json", kind);
    size_t n;
    char *text = file_read(golden_path(name), &n), *at = strstr(text, piece);
    CHECK(at, "'%s' is not in %s", piece, name);
    FileWriter w = file_begin(path);
    file_write(&w, text, (size_t)(at - text));
    file_printf(&w, "%s%s", by, at + strlen(piece));
    file_commit(&w);
    free(text);
    return path;
}

#endif
