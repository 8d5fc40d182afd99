/* Codecs: ways to store a matrix in fewer bytes.
 *
 * A codec makes a Weight (common/weights/weight.h) of a matrix of floats. The Weight's
 * type does the rest: it counts the bytes, decodes rows and multiplies, and so the
 * GPT-2 of chapter 10 runs from it. What weight.data points to is, byte for byte, what
 * the file will hold. A matrix lies as GGUF has it, [out, in]: a row is what one output
 * reads. */
#ifndef CHAPTER_14_CODEC_H
#define CHAPTER_14_CODEC_H

#include "weights/weight.h"

typedef struct {
    const float *data; /* [rows, cols] */
    size_t rows, cols;
    const float *moments; /* [cols, cols], the mean of x x^T over its inputs x
                             (calibration.h); NULL: unknown */
} Matrix;

typedef struct Codec {
    const char *name, *summary;
    const char *value; /* what the number behind the name's colon is, "rbe:100"; NULL:
                          there is none */
    double default_value, least, most;
    bool needs_moments;
    const char *fallback; /* the codec for matrices whose rows are no whole blocks;
                              NULL: any will do */
    const WeightType *type;
    /* what the Weight's data will be, in new memory */
    void *(*encode)(const Matrix *m, double value);
} Codec;

/* All of them, *n many; and that of "NAME" or "NAME:VALUE", whose number goes to
 * *value. Ends the program where there is none of that name, or the value is out of
 * range. */
const Codec *codec_all(size_t *n);
const Codec *codec_find(const char *text, double *value);

/* The matrix in this form, or that of codec->fallback. free() the data. */
Weight codec_encode(const Codec *codec, double value, const Matrix *m);

/* The type of that name among those of all codecs, or NULL. */
const WeightType *codec_type(const char *name);

/* Ends the program with the file's and the tensor's name unless `bytes` bytes at
 * w->data can be such a matrix: before a Weight from a file is read. */
void codec_expect(const Weight *w, size_t bytes, const char *file, const char *tensor);

/* ||decoded - m|| / ||m||, Frobenius norms; 0 for a matrix of zeros that stayed so. */
double codec_error(const Weight *w, const Matrix *m);

/* 8 * bytes / (rows * cols). */
double codec_bits(const Weight *w);

#endif
