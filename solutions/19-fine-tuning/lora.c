/* A low-rank change of a matrix. Before you read on: make hint-19 EX=lora */
#include "19-fine-tuning/lora.h"

void lora_merge(float *w, const float *w0, const float *a, const float *b,
                const LoraShape *shape) {
    size_t n_out = shape->n_out, rank = shape->rank;
    for (size_t i = 0; i < shape->n_in; i++) {
        for (size_t j = 0; j < n_out; j++) {
            float sum = 0;
            for (size_t k = 0; k < rank; k++) sum += a[i * rank + k] * b[k * n_out + j];
            w[i * n_out + j] = w0[i * n_out + j] + shape->scale * sum;
        }
    }
}

void lora_backward(float *da, float *db, const float *dw, const float *a,
                   const float *b, const LoraShape *shape) {
    size_t n_out = shape->n_out, rank = shape->rank;
    for (size_t i = 0; i < shape->n_in; i++) {
        for (size_t k = 0; k < rank; k++) {
            float sum = 0, factor = shape->scale * a[i * rank + k];
            for (size_t j = 0; j < n_out; j++) {
                sum += dw[i * n_out + j] * b[k * n_out + j];
                db[k * n_out + j] += factor * dw[i * n_out + j];
            }
            da[i * rank + k] += shape->scale * sum;
        }
    }
}
