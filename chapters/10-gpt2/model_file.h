/* A model on the disk: a Hugging Face directory or one GGUF file, with one interface to
 * the tensors of both. How a family of models names and lays out its parameters is not
 * its business: see checkpoint.h. */
#ifndef CHAPTER_10_MODEL_FILE_H
#define CHAPTER_10_MODEL_FILE_H

#include "checkpoints/gguf.h"
#include "checkpoints/safetensors.h"
#include "weights/weight.h"

typedef struct {
    const char *name; /* without the prefix "transformer." of some directories */
    const char *file; /* the path of the file that it lies in */
    const char *type; /* "F32", as the file calls it */
    int ndim;
    const size_t *shape;
    Weight weight; /* all of it as a matrix whose rows are the last axis, not
                      transposed; its type is NULL where the numbers are no floats */
    bool used;     /* it was asked for */
} FileTensor;

typedef struct ModelFile {
    char *path;         /* as the user gave it */
    char *architecture; /* "gpt2", "llama": the directory's "model_type", the GGUF
                           file's "general.architecture" */
    FileTensor *tensors;
    size_t n_tensors;
    Gguf *gguf;         /* the file that they lie in, or NULL, */
    SafeTensors *files; /* and then [n_files] of the directory */
    size_t n_files;
    size_t n_layer; /* as the config has it, for messages */
    char *missing;  /* the first tensor that was not there, or NULL */
} ModelFile;

/* Opens a GGUF file, or a directory with config.json and model.safetensors or the
 * shards that model.safetensors.index.json names; finishes a save of the directory that
 * was interrupted. Nothing is read but headers: the numbers stay mapped until
 * model_file_close. Ends the program where something is wrong or missing. */
ModelFile *model_file_open(const char *path);
void model_file_close(ModelFile *file); /* NULL: nothing to close */

/* The config asks for so many layers: more than there are tensors end the program
 * before anything of their size is made. */
void model_file_expect_layers(ModelFile *file, size_t n_layer);

/* The tensor of that name, or NULL. One that is there twice ends the program. */
const FileTensor *model_file_find(ModelFile *file, const char *name);

/* The numbers of that tensor, which must be floats in the shape of `wanted`; with
 * `transposed` the file has the axes the other way round, and the weight says so. Of a
 * tensor that is missing the type is NULL: model_file_expect_complete will name it. */
Weight model_file_weight(ModelFile *file, const char *name, const Tensor *wanted,
                         bool transposed);

/* End the program if a tensor was not used, unless it is one of the constants that
 * older files hold, or one was missing; if a number of a used one is not finite. */
void model_file_expect_complete(const ModelFile *file);
void model_file_expect_finite(const ModelFile *file);

/* End the program: "file 'x': tensor 'y': message"; and for an architecture that is
 * none of `expected`. */
_Noreturn void file_tensor_die(const FileTensor *tensor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void model_file_die_architecture(const ModelFile *file, const char *expected);

#endif
