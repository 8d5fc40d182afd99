/* Is a model directory what was saved: see verify.h. */
#include "10-gpt2/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/model_tokenizer.h"
#include "base/error.h"
#include "files/file.h"

/* `ours`: it can only have been written here, and so has a checksum. */
static void verify_file(const SafeTensors *file, bool ours, FILE *report) {
    bool checked = safetensors_verify(file);
    if (ours && !checked)
        die("file '%s': is damaged: its checksum is missing", file->path);
    size_t numbers = 0;
    for (size_t i = 0; i < file->count; i++) {
        numbers += file->tensors[i].size;
        if (strcmp(file->tensors[i].name, "log") != 0)
            safetensors_expect_finite(&file->tensors[i]);
    }
    fprintf(report, "%s: %zu tensors of %zu finite numbers, %s\n", file->path,
            file->count, numbers, checked ? "the checksum fits" : "no checksum");
}

/* Verifies a file beside the weights, which hold its checksum. A file without one
 * belongs to another model; a vocabulary of another model would be used for weights
 * whose tokens are bytes. */
static void verify_companion(const SafeTensors *weights, const char *directory,
                             const char *name, bool bytes, FILE *report) {
    const char *saved = safetensors_metadata(weights, name);
    char *path = path_join(directory, name), now[CHECKSUM_TEXT];
    if (saved) {
        checksum_of_file(path, now);
        if (strcmp(saved, now) != 0)
            die("file '%s': is not the one that the weights were saved with: its "
                "checksum was %s, is now %s",
                path, saved, now);
        fprintf(report, "%s: as the weights were saved with\n", path);
    } else if (access(path, F_OK) == 0) {
        if (bytes)
            die("file '%s': the weights were saved without it; bytes are their tokens",
                path);
        fprintf(report, "%s: no checksum\n", path);
    }
    free(path);
}

/* A GGUF file has no checksum: that its numbers are finite is all that can be seen. */
static void verify_gguf(const ModelFile *file, FILE *report) {
    size_t numbers = 0;
    model_file_expect_finite(file);
    for (size_t i = 0; i < file->n_tensors; i++) numbers += file->gguf->tensors[i].size;
    fprintf(report, "%s: %zu tensors of %zu finite numbers, no checksum\n", file->path,
            file->n_tensors, numbers);
}

void gpt2_verify(const Gpt2 *model, const char *directory, FILE *report) {
    const ModelFile *file = model->file;
    if (file->gguf) {
        verify_gguf(file, report);
        tokenizer_free(model_tokenizer(NULL, directory, model->config.n_vocab));
        return;
    }
    static const char *const companions[] = GPT2_COMPANIONS;
    const SafeTensors *first = &file->files[0];
    bool ours = safetensors_metadata(first, companions[0]);
    for (size_t i = 0; i < file->n_files; i++)
        verify_file(&file->files[i],
                    safetensors_metadata(&file->files[i], companions[0]), report);
    for (size_t i = 0; i < sizeof companions / sizeof *companions; i++)
        verify_companion(first, directory, companions[i],
                         ours && model->config.n_vocab == TOKENIZER_MIN_VOCAB, report);
    /* it can be read, and fits */
    tokenizer_free(model_tokenizer(NULL, directory, model->config.n_vocab));

    char *path = path_join(directory, "training.safetensors");
    if (access(path, F_OK) == 0) {
        SafeTensors checkpoint = safetensors_open(path);
        verify_file(&checkpoint, true, report);
        safetensors_close(&checkpoint);
    }
    free(path);
}
