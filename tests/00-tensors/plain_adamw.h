/* AdamW in double, with the mistakes that are often made as variations: what the tests
 * of exercise 00/adamw compare with. */
#ifndef TESTS_PLAIN_ADAMW_H
#define TESTS_PLAIN_ADAMW_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "00-tensors/adamw.h"

typedef enum {
    RIGHT,
    L2, /* the decay goes through the gradient */
    NO_DECAY,
    DECAY_WITHOUT_RATE,
    DECAY_OF_GRADIENT,
    DECAY_OF_M, /* m shrinks in the place of the parameter */
    NO_CORRECTION,
    ONE_CORRECTION, /* of m alone */
    EPS_INSIDE,     /* sqrt(v + eps) */
    NO_ROOT,
    BETAS_EXCHANGED,
    ONE_BETA,        /* v is averaged with beta1 */
    STEP_FROM_ZERO,  /* beta^(step - 1) */
    TIMES_STEP,      /* beta * step */
    CORRECTION_KEPT, /* the corrected m and v are written back */
    DECAY_AFTER,     /* the decay shrinks the step too */
    EPS_EARLY,       /* (sqrt(v) + eps) is corrected, eps with it */
    NO_SHARE,        /* m = beta1 m + g */
    SHARES_EXCHANGED,
    NO_SQUARE,
    SQUARE_OF_M, /* v is made of the new m */
    NOT_KEPT,    /* m and v stay what they were */
    OLD_MOMENTS, /* the step is that of the m and v before */
    VARIATIONS
} Variation;

typedef struct {
    double param[8], m[8], v[8];
} State;

static inline void plain_step(State *s, const float *grad, size_t n,
                              const AdamWSettings *a, size_t step,
                              Variation variation) {
    double rate = (double)a->learning_rate, decay = (double)a->weight_decay,
           eps = (double)a->eps;
    double beta1 = (double)(variation == BETAS_EXCHANGED ? a->beta2 : a->beta1);
    double beta2 = (double)(variation == BETAS_EXCHANGED ? a->beta1 : a->beta2);
    double power = (double)(variation == STEP_FROM_ZERO ? step - 1 : step);
    double correct1 = variation == NO_CORRECTION ? 1 : 1 - pow(beta1, power);
    double correct2 = variation == NO_CORRECTION || variation == ONE_CORRECTION
                          ? 1
                          : 1 - pow(beta2, power);
    if (variation == TIMES_STEP) {
        correct1 = 1 - beta1 * power;
        correct2 = 1 - beta2 * power;
    }
    for (size_t i = 0; i < n; i++) {
        double g = (double)grad[i] + (variation == L2 ? decay * s->param[i] : 0);
        double m0 = s->m[i], v0 = s->v[i];
        if (variation == DECAY_OF_GRADIENT)
            s->param[i] -= rate * decay * (double)grad[i];
        else if (variation == DECAY_OF_M)
            m0 *= 1 - rate * decay;
        else if (variation != L2 && variation != NO_DECAY && variation != DECAY_AFTER) {
            s->param[i] *= 1 - (variation == DECAY_WITHOUT_RATE ? decay : rate * decay);
        }
        bool exchanged = variation == SHARES_EXCHANGED;
        double share1 = variation == NO_SHARE ? 1 : 1 - beta1,
               kept = variation == ONE_BETA ? beta1 : beta2;
        double share2 = variation == NO_SHARE ? 1 : 1 - kept;
        s->m[i] = (exchanged ? share1 : beta1) * m0 + (exchanged ? beta1 : share1) * g;
        double square = variation == SQUARE_OF_M ? s->m[i] * s->m[i] : g * g;
        if (variation == NO_SQUARE) square = g;
        s->v[i] =
            (exchanged ? share2 : kept) * v0 + (exchanged ? kept : share2) * square;
        bool old = variation == OLD_MOMENTS;
        double m = (old ? m0 : s->m[i]) / correct1, v = (old ? v0 : s->v[i]) / correct2;
        double below = variation == EPS_INSIDE
                           ? sqrt(v + eps)
                           : (variation == NO_ROOT ? v : sqrt(v)) + eps;
        if (variation == EPS_EARLY) below = (sqrt(s->v[i]) + eps) / sqrt(correct2);
        s->param[i] -= rate * m / below;
        if (variation == DECAY_AFTER) s->param[i] *= 1 - rate * decay;
        if (variation == NOT_KEPT) {
            s->m[i] = m0;
            s->v[i] = v0;
        }
        if (variation == CORRECTION_KEPT) {
            s->m[i] = m;
            s->v[i] = v;
        }
    }
}

enum { PARAMETERS = 6, MAX_STEPS = 4 };

/* param, m and v after each step, one step after the other. */
typedef struct {
    double param[PARAMETERS * MAX_STEPS], m[PARAMETERS * MAX_STEPS],
        v[PARAMETERS * MAX_STEPS];
} History;

static inline History plain_history(const float *start, const float *grads,
                                    const AdamWSettings *settings, size_t steps,
                                    Variation variation) {
    History h = {0};
    State s = {0};
    for (size_t i = 0; i < PARAMETERS; i++) s.param[i] = (double)start[i];
    for (size_t k = 0; k < steps; k++) {
        size_t at = k * PARAMETERS;
        plain_step(&s, grads + at, PARAMETERS, settings, k + 1, variation);
        memcpy(h.param + at, s.param, PARAMETERS * sizeof(double));
        memcpy(h.m + at, s.m, PARAMETERS * sizeof(double));
        memcpy(h.v + at, s.v, PARAMETERS * sizeof(double));
    }
    return h;
}

#endif
