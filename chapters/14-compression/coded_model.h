/* A GPT-2 whose matrices are coded: made of one of floats, saved, and loaded again. */
#ifndef CHAPTER_14_CODED_MODEL_H
#define CHAPTER_14_CODED_MODEL_H

#include <stdio.h>

#include "10-gpt2/gpt2.h"
#include "14-compression/calibration.h"
#include "14-compression/codec.h"

/* The coded matrices of a model, which computes with them until coded_undo. */
typedef struct {
    Gpt2 *model;
    Weight *weights; /* [params.n], as a codec made them; data is NULL where floats
                        stayed */
    const Weight **before; /* [params.n] what the parameters were stored as */
    /* what the model had for a head of another type: now it is the table */
    Weight head;
    double table_value; /* of the codec that code_model uses, for the token table; 0: as
                           for the others */
} Coded;

/* Is this parameter coded? Matrices are, but for the position table; norms and biases
 * stay floats. */
bool is_coded(const Param *param);

/* The parameter's floats as a codec takes them, [out, in] or [tokens, d_model]: memory
 * that the caller frees. The moments are the parameter's own of a Calibration, or
 * NULL. */
float *coded_matrix(const Param *param, const float *moments, Matrix *m);

/* A model of which nothing is coded yet. code_param codes parameter i and returns its
 * relative error; code_model codes all parameters that is_coded accepts. */
Coded coded_begin(Gpt2 *model);
double code_param(Coded *coded, size_t i, const Codec *codec, double value,
                  const Calibration *calibration);
void code_model(Coded *coded, const Codec *codec, double value,
                const Calibration *calibration, FILE *report);

/* Bytes of what is coded, and of the same matrices as floats. */
size_t coded_bytes(const Coded *coded, size_t *as_floats);

/* A table of what was coded: its head, the line of parameter i, and the sum. Nothing
 * with NULL. */
void report_begin(FILE *report);
void report_matrix(FILE *report, const Coded *coded, size_t i, double error);
void report_end(FILE *report, const Coded *coded);

/* The model as it was; frees what was coded. */
void coded_undo(Coded *coded);

/* Is it a directory that family_save (chapter 10) made of a model with coded matrices?
 * One that is not floats is "NAME.TYPE" in its model.safetensors, its bytes as they
 * are. */
bool coded_model_is(const char *path);

/* Loads such a directory, or what else gpt2_load does. Everything is used where it is
 * in the file. */
Gpt2 *coded_model_load(const char *path);

#endif
