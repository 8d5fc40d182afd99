/* A model from a file, whichever family it is of and however the file names and lays
 * out its parameters: a ModelFormat knows that, and nothing else of reading. */
#ifndef CHAPTER_10_LOAD_H
#define CHAPTER_10_LOAD_H

#include "10-gpt2/gpt2.h"
#include "10-gpt2/model_file.h"

/* How one kind of file describes the models of one family. */
typedef struct {
    Gpt2Config (*config)(const ModelFile *file);
    /* A parameter's numbers, of its shape: where they are in the file, or put together
     * in memory of params_keep. Of what is missing the type is
     * NULL, as model_file_weight gives it. */
    Weight (*weight)(ModelFile *file, const Gpt2 *model, Param *param);
    const char *head; /* the name of a head that may be there again: without own_head it
                         must be the token table */
} ModelFormat;

/* The model in the file, which is closed with it, or now. PARAMS_MAPPED uses the
 * numbers where they are (params_take), the other modes copy them as floats. Names,
 * shapes and types are checked before a parameter has any memory; an error names the
 * file and the tensor. PARAMS_TRAIN also asks that all numbers are finite. */
Gpt2 *gpt2_load_file(ModelFile *file, const ModelFormat *format, ParamsMode mode);

#endif
