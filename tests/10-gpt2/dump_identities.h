/* What the tensors of a dump have to do with each other, in any model. */
#ifndef TESTS_DUMP_IDENTITIES_H
#define TESTS_DUMP_IDENTITIES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "07-attention/causal_attention.h"
#include "10-gpt2/gpt2.h"
#include "base/memory.h"
#include "check/check.h"
#include "checkpoints/safetensors.h"

static inline float *dumped(const SafeTensors *dump, const char *name, size_t l,
                            size_t shape[3]) {
    char full[64];
    snprintf(full, sizeof full, "%s.%zu", name, l);
    const SafeTensor *x = safetensors_find(dump, full);
    CHECK(x && x->ndim <= 3, "%s is not in the dump", full);
    memcpy(shape, x->shape, 3 * sizeof *shape);
    float *data = checked_alloc(x->size, sizeof *data);
    safetensors_to_float(data, x);
    return data;
}

static inline void check_bytes(const char *what, size_t l, const float *got,
                               const float *expected, size_t n) {
    CHECK(memcmp(got, expected, n * sizeof *got) == 0,
          "block %zu: %s, but not to the bit", l, what);
}

/* from + branch == to, to the bit. */
static inline void check_sum(const SafeTensors *dump, size_t l, const char *from,
                             const char *branch, const char *to, size_t l_to) {
    size_t shape[3];
    float *x = dumped(dump, from, l, shape), *b = dumped(dump, branch, l, shape),
          *sum = dumped(dump, to, l_to, shape);
    size_t n = shape[0] * shape[1];
    for (size_t i = 0; i < n; i++) x[i] += b[i];
    char what[100];
    snprintf(what, sizeof what, "%s is %s with %s", to, from, branch);
    check_bytes(what, l, sum, x, n);
    free(x);
    free(b);
    free(sum);
}

/* The weights are the softmax of the scores, and `heads` is what they make of the
 * values. */
static inline void check_heads(const SafeTensors *dump, const AttentionConfig *c,
                               size_t l) {
    size_t shape[3];
    float *scores = dumped(dump, "scores", l, shape),
          *att = dumped(dump, "att", l, shape),
          *values = dumped(dump, "value", l, shape);
    size_t length = shape[1], dim = shape[2], group = c->n_head / shape[0];
    float *heads = dumped(dump, "heads", l, shape);
    AttentionShape one = {
        .n_heads = 1, .length = length, .head_dim = dim, .causal = c->causal};
    for (size_t h = 0; h < c->n_head; h++) {
        const float *w = att + h * length * length,
                    *v = values + h / group * length * dim;
        attention_softmax(scores + h * length * length, &one);
        check_bytes("att is the softmax of scores", l, scores + h * length * length, w,
                    length * length);
        for (size_t i = 0; i < length * dim; i++) {
            double sum = 0;
            for (size_t s = 0; s < length; s++)
                sum += (double)w[i / dim * length + s] * (double)v[s * dim + i % dim];
            double got = (double)heads[i / dim * shape[1] + h * dim + i % dim];
            CHECK(sum - got < 1e-5 && got - sum < 1e-5,
                  "block %zu, head %zu: heads is %g, att times value %g", l, h, got,
                  sum);
        }
    }
    free(scores);
    free(att);
    free(values);
    free(heads);
}

static inline void check_identities(const SafeTensors *dump, const Gpt2 *model) {
    for (size_t l = 0; l < model->config.n_layer; l++) {
        check_sum(dump, l, "hidden", "attn_branch", "middle", l);
        check_sum(dump, l, "middle", "ffn_branch", "hidden", l + 1);
        check_heads(dump, &model->blocks[l].attn.config, l);
    }
}

#endif
