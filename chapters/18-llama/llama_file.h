/* The tensors of a model of LLaMA's family, whichever way they are stored: a Hugging
 * Face directory or a GGUF file, behind one door. */
#ifndef CHAPTER_18_LLAMA_FILE_H
#define CHAPTER_18_LLAMA_FILE_H

#include "10-gpt2/weight_files.h"
#include "18-llama/llama_names.h"
#include "checkpoints/gguf.h"

typedef struct {
    const char *path; /* as the user gave it */
    LlamaNames names;
    WeightFiles files; /* of a directory, */
    Gguf *gguf;        /* or the file */
    bool permuted;     /* rows of q and k are in GGUF's order (18/permute_rope) */
} LlamaFile;

/* One tensor: a matrix as it is stored, a vector as one row. */
typedef struct {
    int ndim;
    Weight weight;
    const char *file;
} FileTensor;

/* False: there is none of that name. Ends the program for numbers that are not floats,
 * of 32 or 16 bits or in ggml's blocks. */
bool llama_file_find(FileTensor *out, const LlamaFile *file, const char *name);

/* Ends the program with "file 'x': tensor 'y': message". */
_Noreturn void llama_file_die(const LlamaFile *file, const char *tensor,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All names in the file, one after the other; NULL behind the last. */
const char *llama_file_name(const LlamaFile *file, size_t i);

#endif
