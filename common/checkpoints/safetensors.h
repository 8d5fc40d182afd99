/* safetensors: the file format of Hugging Face checkpoints, read and written.
 *
 * A file is the length of its header (u64, little-endian), the header (JSON: name ->
 * dtype, shape, data_offsets), and the raw little-endian, row-major numbers. The reader
 * maps the file and validates it: every size is checked, and a bad file ends the
 * program with one line that names the file and the tensor. Format:
 * https://github.com/huggingface/safetensors, section "Format". */
#ifndef CHECKPOINTS_SAFETENSORS_H
#define CHECKPOINTS_SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>

#include "files/file.h"

enum { SAFETENSORS_MAX_NDIM = 8 };

typedef enum {
    DTYPE_BOOL,
    DTYPE_U8,
    DTYPE_I8,
    DTYPE_I16,
    DTYPE_U16,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_I32,
    DTYPE_U32,
    DTYPE_F32,
    DTYPE_F64,
    DTYPE_I64,
    DTYPE_U64,
    DTYPE_COUNT
} Dtype;

/* The name in the header ("F32") and the bytes of one element. */
const char *dtype_name(Dtype dtype);
size_t dtype_bytes(Dtype dtype);

typedef struct {
    const char *name;
    const char *file; /* the path it came from, for messages */
    Dtype dtype;
    int ndim; /* 0 for a single number: shape [], size 1 */
    size_t shape[SAFETENSORS_MAX_NDIM];
    size_t size;      /* elements; 0 where an axis is 0 */
    size_t bytes;     /* size * dtype_bytes(dtype) */
    const void *data; /* inside the mapped file, perhaps not aligned: read it with the
                         functions below */
} SafeTensor;

typedef struct {
    char *path;
    size_t count;
    SafeTensor *tensors;  /* sorted by name */
    struct cJSON *header; /* owns the names */
    void *map;
    size_t map_bytes;
} SafeTensors;

/* Maps the file (mapped_file.h) and checks all of it but the numbers. */
SafeTensors safetensors_open(const char *path);
void safetensors_close(SafeTensors *file);

/* The tensor of that name, or NULL. */
const SafeTensor *safetensors_find(const SafeTensors *file, const char *name);

/* The text under that key of __metadata__, or NULL. */
const char *safetensors_metadata(const SafeTensors *file, const char *key);

/* All elements, converted; ends the program for a dtype that does not fit: floats from
 * F32, F64, F16 and BF16; doubles from these and from integers; ints from integers and
 * booleans, each checked to be in the range of an int. */
void safetensors_to_float(float *out, const SafeTensor *tensor);
void safetensors_to_double(double *out, const SafeTensor *tensor);
void safetensors_to_int(int *out, const SafeTensor *tensor);

/* The shape as "[2, 3]", for messages. */
enum { SAFETENSORS_SHAPE_TEXT = 24 * SAFETENSORS_MAX_NDIM };
const char *safetensors_shape_text(const SafeTensor *tensor,
                                   char text[SAFETENSORS_SHAPE_TEXT]);

/* Ends the program with "file 'x': tensor 'y': message" (the name made fit for one
 * line), for this code and for loaders. */
_Noreturn void safetensors_die(const SafeTensor *tensor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the program at the first number that is not finite, and names it. */
void safetensors_expect_finite(const SafeTensor *tensor);

/* Ends the program if the file has changed since it was written. False for a file that
 * carries no checksum: only those that are written here do. */
bool safetensors_verify(const SafeTensors *file);

/* A file being put together. Nothing is on the disk until safetensors_commit, which
 * replaces `path` in one moment (file.h): until then the old file stays whole. Its
 * metadata "checksum" is XXH3 with 64 bits of the whole file, itself taken as zeros. */
typedef struct SafetensorsWriter SafetensorsWriter;

SafetensorsWriter *safetensors_begin(const char *path);

/* Only the pointer is kept: the data must stay until the commit. */
void safetensors_add(SafetensorsWriter *w, const char *name, Dtype dtype, int ndim,
                     const size_t *shape, const void *data);

/* A pair of __metadata__; Hugging Face's loader for PyTorch asks for "format" =
 * "pt". */
void safetensors_add_metadata(SafetensorsWriter *w, const char *key, const char *value);

/* Writes in the order of adding, but tensors of larger elements first, so that every
 * tensor is aligned (PyTorch's loader needs that). Frees the writer. */
void safetensors_commit(SafetensorsWriter *w);

/* The same into a file that the caller commits: one of several in a directory
 * (directory.h). */
void safetensors_write(SafetensorsWriter *w, FileWriter *out);

#endif
