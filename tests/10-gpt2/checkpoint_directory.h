/* Directories of checkpoints to be spoilt: copies of the tiny model of
 * tests/golden. */
#ifndef TESTS_CHECKPOINT_DIRECTORY_H
#define TESTS_CHECKPOINT_DIRECTORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/remove_tree.h"
#include "check/check.h"
#include "check/golden.h"
#include "checkpoints/safetensors.h"
#include "files/file.h"

/* A directory of its own for this test, with the tiny model's config and one of its
 * checkpoints under the standard name. */
static inline char *directory_with(const char *checkpoint) {
    char *directory = new_directory();
    const char *const from[] = {"tiny_gpt2/config.json", checkpoint},
                      *const to[] = {"config.json", "model.safetensors"};
    for (size_t i = 0; i < 2; i++) {
        size_t bytes;
        char *data = file_read(golden_path(from[i]), &bytes),
             *path = path_join(directory, to[i]);
        put_file(path, data, bytes);
    }
    return directory;
}

/* Replaces the first `old` in the directory's config by `fresh`, or in
 * model.safetensors. */
static inline void edit(const char *directory, const char *name, const char *old,
                        const char *fresh) {
    size_t bytes, n = strlen(old);
    char *path = path_join(directory, name), *data = file_read(path, &bytes),
         *at = data;
    while ((size_t)(at - data) + n < bytes && memcmp(at, old, n) != 0) at++;
    CHECK((size_t)(at - data) + n < bytes, "%s has no '%s'", name, old);
    FileWriter w = file_begin(path);
    file_write(&w, data, (size_t)(at - data));
    file_write(&w, fresh, strlen(fresh));
    file_write(&w, at + n, bytes - (size_t)(at - data) - n);
    file_commit(&w);
}

static inline void write_index(const char *directory, const char *text) {
    FileWriter w = file_begin(path_join(directory, "model.safetensors.index.json"));
    file_printf(&w, "%s", text);
    file_commit(&w);
}

/* The tiny model in two files, the odd tensors in one and the even ones in the other,
 * and their index. */
static inline char *directory_of_shards(void) {
    char *directory = directory_with("tiny_gpt2/model_prefixed.safetensors");
    SafeTensors all = safetensors_open(path_join(directory, "model.safetensors"));
    SafetensorsWriter *part[2];
    char index[8000] = "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {";
    for (size_t p = 0; p < 2; p++)
        part[p] = safetensors_begin(
            path_join(directory, p ? "part-2.safetensors" : "part-1.safetensors"));
    for (size_t i = 0; i < all.count; i++) {
        const SafeTensor *x = &all.tensors[i];
        safetensors_add(part[i % 2], x->name, x->dtype, x->ndim, x->shape, x->data);
        snprintf(index + strlen(index), sizeof index - strlen(index),
                 "%s\"%s\": \"part-%zu.safetensors\"", i ? ", " : "", x->name,
                 i % 2 + 1);
    }
    strcat(index, "}}");
    for (size_t p = 0; p < 2; p++) safetensors_commit(part[p]);
    safetensors_close(&all);
    CHECK(unlink(path_join(directory, "model.safetensors")) == 0,
          "cannot remove the whole model");
    write_index(directory, index);
    return directory;
}

#endif
