/* Mixed precision: see mixed_precision.h. */
#include "11-training/mixed_precision.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/half.h"

/* --- rounding --- */

const char *precision_name(Precision precision) {
    switch (precision) {
    case PRECISION_FLOAT32:
        return "float32";
    case PRECISION_BFLOAT16:
        return "bfloat16";
    case PRECISION_FLOAT16:
        return "float16";
    }
    return "unknown";
}

Precision precision_named(const char *name) {
    for (Precision p = PRECISION_FLOAT32; p <= PRECISION_FLOAT16; p++) {
        if (strcmp(name, precision_name(p)) == 0) return p;
    }
    die_usage("--precision '%s': expected float32, bfloat16 or float16", name);
}

float round_float(Precision precision, float x) {
    if (precision == PRECISION_FLOAT16) return half_to_float(float_to_half(x));
    return precision == PRECISION_BFLOAT16 ? bfloat_to_float(float_to_bfloat(x)) : x;
}

void round_floats(Precision precision, float *x, size_t n) {
    if (precision == PRECISION_FLOAT32) return;
#pragma omp parallel for if (n > 1 << 16)
    for (size_t i = 0; i < n; i++) x[i] = round_float(precision, x[i]);
}

void round_node(Precision precision, const TapeNode *node, TapePass pass) {
    size_t n = tensor_size(node->out);
    if (pass == TAPE_FORWARD && n > 1) round_floats(precision, node->out->data, n);
    for (size_t i = 0; pass == TAPE_BACKWARD && i < node->n_inputs; i++) {
        const Tensor *x = node->inputs[i];
        if (!x || !x->grad || tensor_size(x) == 1) continue;
        round_floats(precision, x->grad, tensor_size(x));
    }
}

static void watch_bfloat16(void *unused, const TapeNode *node, TapePass pass) {
    (void)unused;
    round_node(PRECISION_BFLOAT16, node, pass);
}

static void watch_float16(void *unused, const TapeNode *node, TapePass pass) {
    (void)unused;
    round_node(PRECISION_FLOAT16, node, pass);
}

TapeWatch *precision_watch(Precision precision) {
    if (precision == PRECISION_FLOAT32) return NULL;
    return precision == PRECISION_FLOAT16 ? watch_float16 : watch_bfloat16;
}

/* --- the scale of the loss --- */

LossScale loss_scale_create(Precision precision) {
    if (precision != PRECISION_FLOAT16) return (LossScale){.factor = 1};
    return (LossScale){.factor = 0x1p16f, .grow_after = 2000};
}

//> loss_scale
void loss_scale_update(LossScale *s, bool overflowed) {
    if (!s->grow_after) return;
    s->good_steps = overflowed ? 0 : s->good_steps + 1;
    if (overflowed) s->factor /= 2;
    if (s->good_steps < s->grow_after) return;
    s->factor *= 2;
    s->good_steps = 0;
}
//< loss_scale

/* --- a step --- */

MixedPrecision mixed_create(Precision precision, const Params *params) {
    MixedPrecision m = {.precision = precision, .scale = loss_scale_create(precision)};
    if (precision != PRECISION_FLOAT32)
        m.master = checked_alloc(params_count(params), sizeof *m.master);
    return m;
}

void mixed_free(MixedPrecision *m) {
    free(m->master);
    free(m->sum);
}

void mixed_begin(MixedPrecision *m, const Params *params) {
    float *master = m->master;
    for (size_t i = 0; master && i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        size_t n = tensor_size(x);
        memcpy(master, x->data, n * sizeof *master);
        round_floats(m->precision, x->data, n);
        master += n;
    }
}

void mixed_end(MixedPrecision *m, Params *params) {
    const float *master = m->master;
    for (size_t i = 0; master && i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        size_t n = tensor_size(x);
        memcpy(x->data, master, n * sizeof *master);
        master += n;
    }
    mixed_collect(m, params);
    if (m->scale.factor == 1) return;
    for (size_t i = 0; i < params->n_grads; i++) params->grads[i] /= m->scale.factor;
}

void mixed_keep(MixedPrecision *m, Params *params) {
    size_t n = params->n_grads;
    if (m->precision == PRECISION_FLOAT32) return;
    if (!m->sum) {
        m->sum = checked_aligned_alloc(n, sizeof *m->sum);
        floats_zero(m->sum, n);
    }
    for (size_t i = 0; i < n; i++) m->sum[i] += params->grads[i];
    params_zero_grad(params);
}

void mixed_collect(MixedPrecision *m, Params *params) {
    if (!m->sum) return;
    for (size_t i = 0; i < params->n_grads; i++) params->grads[i] += m->sum[i];
    floats_zero(m->sum, params->n_grads);
}
