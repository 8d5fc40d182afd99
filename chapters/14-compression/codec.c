/* The codecs by name: see codec.h. */
#include "14-compression/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/gptq.h"
#include "14-compression/kmeans.h"
#include "14-compression/low_rank.h"
#include "14-compression/q3.h"
#include "14-compression/round.h"
#include "14-compression/stream.h"
#include "14-compression/tiles.h"
#include "base/error.h"
#include "base/memory.h"

#define COEFFICIENTS "coefficients of each 32 x 32 tile"
#define BITS "bits a weight"

static const Codec codecs[] = {
    {"f16", "float16", NULL, 0, 0, 0, false, NULL, &weight_f16, encode_f16},
    {"bf16", "bfloat16", NULL, 0, 0, 0, false, NULL, &weight_bf16, encode_bf16},
    {"q8_0", "8 bits, a scale for 32", NULL, 0, 0, 0, false, "f16", &weight_q8_0,
     encode_q8_0},
    {"q6_k", "6 bits, a scale for 16", NULL, 0, 0, 0, false, "q8_0", &weight_q6_k,
     encode_q6_k},
    {"q4_1", "4 bits, scale and offset for 32", NULL, 0, 0, 0, false, "f16",
     &weight_q4_1, encode_q4_1},
    {"q4_0", "4 bits, a scale for 32", NULL, 0, 0, 0, false, "f16", &weight_q4_0,
     encode_q4_0},
    {"q4_k", "4 bits, scales of 6 bits", NULL, 0, 0, 0, false, "q4_1", &weight_q4_k,
     encode_q4_k},
    {"q3", "3 bits, a scale for 32", NULL, 0, 0, 0, false, "f16", &weight_q3,
     encode_q3},
    {"gptq4", "q4_0 with error feedback", NULL, 0, 0, 0, true, "f16", &weight_q4_0,
     gptq_encode_q4_0},
    {"gptq3", "q3 with error feedback", NULL, 0, 0, 0, true, "f16", &weight_q3,
     gptq_encode_q3},
    {"kmeans", "a codebook", BITS, 4, 1, KMEANS_MOST_BITS, false, NULL, &weight_kmeans,
     kmeans_encode},
    {"kmeans-rows", "a codebook a row", BITS, 4, 1, KMEANS_MOST_BITS, false, NULL,
     &weight_kmeans_rows, kmeans_encode_rows},
    {"svd", "low rank", BITS, 4.5, 0.01, 32, false, NULL, &weight_low_rank,
     low_rank_encode},
    {"svd-inputs", "low rank, for the model's inputs", BITS, 4.5, 0.01, 32, true, NULL,
     &weight_low_rank, low_rank_encode_weighted},
    {"top-k", "pruning: the largest weights", COEFFICIENTS, 92, 1, TILE_SIZE, false,
     NULL, &weight_top_k, top_k_encode},
    {"dct", "the largest of the DCT", COEFFICIENTS, 92, 1, TILE_SIZE, false, NULL,
     &weight_dct, dct_encode},
    {"rbe", "8 functions, then the DCT", "8 + " COEFFICIENTS, 100, RBE_FUNCTIONS,
     RBE_FUNCTIONS + TILE_SIZE, false, NULL, &weight_rbe, rbe_encode},
};
enum { N_CODECS = sizeof codecs / sizeof *codecs };

const Codec *codec_all(size_t *n) {
    *n = N_CODECS;
    return codecs;
}

static const Codec *by_name(const char *name, size_t length) {
    for (size_t i = 0; i < N_CODECS; i++) {
        if (strlen(codecs[i].name) == length &&
            memcmp(codecs[i].name, name, length) == 0)
            return &codecs[i];
    }
    return NULL;
}

static _Noreturn void die_unknown(const char *text) {
    char names[40 * N_CODECS] = "";
    for (size_t i = 0; i < N_CODECS; i++) {
        strcat(names, i ? ", " : "");
        strcat(names, codecs[i].name);
    }
    die_usage("--codec '%s': expected one of %s, mixed:BITS", text, names);
}

const Codec *codec_find(const char *text, double *value) {
    const char *colon = strchr(text, ':');
    const Codec *c = by_name(text, colon ? (size_t)(colon - text) : strlen(text));
    if (!c) die_unknown(text);
    *value = c->usual;
    if (!colon) return c;
    if (!c->value) die_usage("--codec '%s': %s takes no value", text, c->name);
    char *end;
    *value = strtod(colon + 1, &end);
    bool whole =
        c->least < 1 ||
        *value == floor(*value); /* only bits of a low rank may be a fraction */
    if (end == colon + 1 || *end || !(*value >= c->least && *value <= c->most) ||
        !whole)
        die_usage("--codec '%s': expected %g to %g: %s", text, c->least, c->most,
                  c->value);
    return c;
}

Weight codec_encode(const Codec *codec, double value, const Matrix *m) {
    while (m->cols % codec->type->block && codec->otherwise)
        codec = by_name(codec->otherwise, strlen(codec->otherwise));
    if (codec->needs_moments && !m->moments)
        die("codec %s: needs a text, whose inputs it looks at", codec->name);
    return (Weight){codec->type, codec->encode(m, value), m->rows, m->cols, false};
}

const WeightType *codec_type(const char *name) {
    for (size_t i = 0; i < N_CODECS; i++) {
        if (strcmp(codecs[i].type->name, name) == 0) return codecs[i].type;
    }
    return NULL;
}

/* The least and largest parameter of a type's stream; 0 and 0: it has none. */
static void parameter_range(const WeightType *type, uint32_t range[2]) {
    range[0] = range[1] = 0;
    for (size_t i = 0; i < N_CODECS; i++) {
        if (codecs[i].type != type || !codecs[i].value) continue;
        range[0] = codecs[i].least < 1 ? 1 : (uint32_t)codecs[i].least;
        range[1] = type == &weight_low_rank
                       ? 1 << 16
                       : (uint32_t)codecs[i].most; /* the stream holds the rank */
    }
}

void codec_expect(const Weight *w, size_t bytes, const char *file, const char *tensor) {
    uint32_t range[2];
    parameter_range(w->type, range);
    if (range[1]) {
        if (bytes < STREAM_HEAD)
            die("file '%s': tensor '%s': has %zu bytes", file, tensor, bytes);
        uint32_t parameter = stream_parameter(w->data);
        if (parameter < range[0] || parameter > range[1])
            die("file '%s': tensor '%s': its parameter is %u, expected %u to %u", file,
                tensor, parameter, range[0], range[1]);
    } else if (w->cols % w->type->block) {
        die("file '%s': tensor '%s': has rows of %zu, expected a multiple of %zu", file,
            tensor, w->cols, w->type->block);
    }
    if (bytes != weight_bytes(w))
        die("file '%s': tensor '%s': has %zu bytes, expected %zu for %s [%zu, %zu]",
            file, tensor, bytes, weight_bytes(w), w->type->name, w->rows, w->cols);
}

double codec_error(const Weight *w, const Matrix *m) {
    double off = 0, all = 0;
    float *row = checked_alloc(m->cols, sizeof *row);
    for (size_t r = 0; r < m->rows; r++) {
        weight_row(row, w, r);
        for (size_t c = 0; c < m->cols; c++) {
            double x = (double)m->data[r * m->cols + c], d = (double)row[c] - x;
            off += d * d, all += x * x;
        }
    }
    free(row);
    return off > 0 ? sqrt(off / all) : 0;
}

double codec_bits(const Weight *w) {
    return 8 * (double)weight_bytes(w) / ((double)w->rows * (double)w->cols);
}
