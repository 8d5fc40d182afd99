/* One rank after the other: w is a sum of w0 and of columns times rows. */
#include "19-fine-tuning/lora.h"

#include <string.h>

void lora_merge(float *w, const float *w0, const float *a, const float *b,
                const LoraShape *s) {
    memcpy(w, w0, s->n_in * s->n_out * sizeof *w);
    for (size_t k = 0; k < s->rank; k++) {
        for (size_t i = 0; i < s->n_in; i++) {
            float factor = s->scale * a[i * s->rank + k];
            for (size_t j = 0; j < s->n_out; j++)
                w[i * s->n_out + j] += factor * b[k * s->n_out + j];
        }
    }
}

void lora_backward(float *da, float *db, const float *dw, const float *a,
                   const float *b, const LoraShape *s) {
    for (size_t k = 0; k < s->rank; k++) {
        for (size_t j = 0; j < s->n_out; j++) {
            float change = 0;
            for (size_t i = 0; i < s->n_in; i++) {
                float g = s->scale * dw[i * s->n_out + j];
                da[i * s->rank + k] += g * b[k * s->n_out + j];
                change += g * a[i * s->rank + k];
            }
            db[k * s->n_out + j] += change;
        }
    }
}
