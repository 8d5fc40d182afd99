/* Three matrix products of the course's kernels. */
#include "19-fine-tuning/lora.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernels/matmul.h"

void lora_merge(float *w, const float *w0, const float *a, const float *b,
                const LoraShape *s) {
    matmul(w, a, b, s->n_in, s->n_out, s->rank, false);
    for (size_t i = 0; i < s->n_in * s->n_out; i++) w[i] = w0[i] + s->scale * w[i];
}

void lora_backward(float *da, float *db, const float *dw, const float *a,
                   const float *b, const LoraShape *s) {
    size_t n_a = s->n_in * s->rank, n_b = s->rank * s->n_out;
    float *of_a = checked_alloc(n_a, sizeof *of_a),
          *of_b = checked_alloc(n_b, sizeof *of_b);
    matmul_a_bt(of_a, dw, b, s->n_in, s->rank, s->n_out, false);
    matmul_at_b(of_b, a, dw, s->rank, s->n_out, s->n_in, false);
    for (size_t i = 0; i < n_a; i++) da[i] += s->scale * of_a[i];
    for (size_t i = 0; i < n_b; i++) db[i] += s->scale * of_b[i];
    free(of_a);
    free(of_b);
}
