/* The effect of coding on a model: its predictions with and without, on the same
 * text. */
#ifndef CHAPTER_14_MEASURE_H
#define CHAPTER_14_MEASURE_H

#include "12-generation/text_model.h"
#include "14-compression/coded_model.h"

/* Predictions of the model as it is. */
typedef struct {
    size_t n, length; /* windows of so many tokens */
    int *tokens;      /* [n, length], stories that no training saw */
    float *log_p; /* [n, length - 1, n_vocab]: ln p of every token, at every position
                     but the last */
    double loss;  /* nats a token */
} Reference;

/* n windows of the model's context; `skip` windows of the text stay for others. */
Reference reference_of(const TextModel *m, size_t n, size_t skip);
void reference_free(Reference *r);

/* How the model's predictions differ from the reference. */
typedef struct {
    double added;   /* nats a token */
    double percent; /* the same as a rise of the perplexity, 100 (exp(added) - 1) */
    double kl; /* sum_v p ln(p / q), the reference's p; the mean over positions, nats */
    double changed; /* share of positions whose likeliest token is another */
} Change;
double percent_of(double added);
Change change_from(const Reference *r, const Gpt2 *model);

/* A way to code a whole model: one codec for all matrices, or another one for the token
 * table. */
typedef struct {
    const char *family; /* as figures call it */
    const char *codec;  /* "rbe:150" */
    const char *table;  /* for the token table, or NULL: the same */
} Form;

/* Codes parameter i, then puts the decoded floats in its place: the products equal
 * those of the coded form to 1e-5 (tests/14-compression/codecs.c), and are quicker to
 * take for thousands of positions. Returns the bytes that the coded form takes; *error,
 * if not NULL, its relative error. */
size_t form_param(Coded *coded, size_t i, const char *codec,
                  const Calibration *calibration, double *error);

/* All matrices; returns the bytes of the whole model, with what stays floats. */
size_t form_model(Coded *coded, const Form *form, const Calibration *calibration);

/* Bits a parameter of the whole model, from its bytes. */
double model_bits(const Gpt2 *model, size_t bytes);

/* The inputs of the model's matrices over n tokens of the text that it was trained
 * on. */
Calibration calibrate_on_training(const TextModel *m, uint64_t seed, size_t n);

#endif
