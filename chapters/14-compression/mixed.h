/* A codec for each matrix: the bytes are saved where they cost least loss. */
#ifndef CHAPTER_14_MIXED_H
#define CHAPTER_14_MIXED_H

#include "14-compression/coded_model.h"

/* The loss added by each codec when one parameter alone is coded, the others floats:
 * for all parameters that is_coded, with codecs [n_codecs] in the order of their bytes,
 * the most first. */
typedef struct {
    size_t n_params, n_codecs;
    const Codec **codecs;
    const Calibration *calibration;
    double loss;   /* of the floats, in nats a token */
    double *added; /* [n_params, n_codecs] */
    size_t *bytes; /* [n_params, n_codecs]; 0 where a parameter is not coded */
} Sensitivity;

/* Measured on tokens [n], the windows one context after the other; `names` are those of
 * codecs without values. calibration may be NULL if none of them needs it. */
Sensitivity sensitivity_measure(Gpt2 *model, const char *const *names, size_t n_codecs,
                                const Calibration *calibration, const int *tokens,
                                size_t n);
void sensitivity_free(Sensitivity *s);

/* Which codec each parameter gets, choice [n_params], so that the coded matrices take
 * at most `bits` bits a weight together, or as few as these codecs can. All begin with
 * the largest; then, again and again, the parameter takes the step down that adds the
 * least loss for a byte saved. Losses are taken to add up. */
void mixed_choose(size_t *choice, const Sensitivity *s, const Params *params,
                  double bits);

/* Codes the model so. With a report, a line for each matrix. */
void mixed_code(Coded *coded, const Sensitivity *s, const size_t *choice, FILE *report);

#endif
