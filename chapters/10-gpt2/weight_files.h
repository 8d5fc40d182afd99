/* The safetensors files of a Hugging Face directory: one model.safetensors, or the
 * shards that model.safetensors.index.json names. */
#ifndef CHAPTER_10_WEIGHT_FILES_H
#define CHAPTER_10_WEIGHT_FILES_H

#include "checkpoints/safetensors.h"
#include "weights/params.h"

typedef struct {
    SafeTensors *files; /* [n] */
    size_t n;
} WeightFiles;

/* Opens and checks them; a shard that is missing ends the program. */
WeightFiles weight_files_open(const char *directory);
void weight_files_close(WeightFiles *files);

/* The tensor of that name in any of the files; NULL if there is none. One that is there
 * twice ends the program. */
const SafeTensor *weight_files_find(const WeightFiles *files, const char *name);

/* Ends the program unless the tensor has the shape of `wanted` and numbers that become
 * floats. */
void weight_file_expect(const SafeTensor *got, const Tensor *wanted);

/* A head that is stored again must be the token table, number for number. */
void weight_file_expect_table(const SafeTensor *head, const Tensor *wte);

/* The numbers of a PARAMS_MAPPED parameter: floats and matrices of 16 bits are used
 * where they are in the file; the rest becomes floats in memory. */
void weight_file_map(Param *param, const SafeTensor *from);

#endif
