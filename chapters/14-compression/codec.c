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

#define BITS "bits a weight"

/* N numbers of each tile, of which the first `functions` are no coefficients. */
#define TILES(NAME, WHAT, id, SIDE, functions, N)                                      \
    {                                                                                  \
        .name = NAME, .summary = WHAT,                                                 \
        .value = "numbers of each " #SIDE " x " #SIDE " tile", .default_value = N,     \
        .least = functions ? functions : 1, .most = functions + SIDE * SIDE,           \
        .type = &weight_##id, .encode = id##_encode                                    \
    }

static const Codec codecs[] = {
    {.name = "f16", .summary = "float16", .type = &weight_f16, .encode = encode_f16},
    {.name = "bf16",
     .summary = "bfloat16",
     .type = &weight_bf16,
     .encode = encode_bf16},
    {.name = "q8_0",
     .summary = "8 bits, a scale for 32",
     .fallback = "f16",
     .type = &weight_q8_0,
     .encode = encode_q8_0},
    {.name = "q6_k",
     .summary = "6 bits, a scale for 16",
     .fallback = "q8_0",
     .type = &weight_q6_k,
     .encode = encode_q6_k},
    {.name = "q4_1",
     .summary = "4 bits, scale and offset for 32",
     .fallback = "f16",
     .type = &weight_q4_1,
     .encode = encode_q4_1},
    {.name = "q4_0",
     .summary = "4 bits, a scale for 32",
     .fallback = "f16",
     .type = &weight_q4_0,
     .encode = encode_q4_0},
    {.name = "q4_k",
     .summary = "4 bits, scales of 6 bits",
     .fallback = "q4_1",
     .type = &weight_q4_k,
     .encode = encode_q4_k},
    {.name = "q3",
     .summary = "3 bits, a scale for 32",
     .fallback = "f16",
     .type = &weight_q3,
     .encode = encode_q3},
    {.name = "gptq4",
     .summary = "q4_0 with error feedback",
     .needs_moments = true,
     .fallback = "f16",
     .type = &weight_q4_0,
     .encode = gptq_encode_q4_0},
    {.name = "gptq3",
     .summary = "q3 with error feedback",
     .needs_moments = true,
     .fallback = "f16",
     .type = &weight_q3,
     .encode = gptq_encode_q3},
    {.name = "kmeans",
     .summary = "a codebook",
     .value = BITS,
     .default_value = 4,
     .least = 1,
     .most = KMEANS_MOST_BITS,
     .type = &weight_kmeans,
     .encode = kmeans_encode},
    {.name = "kmeans-rows",
     .summary = "a codebook a row",
     .value = BITS,
     .default_value = 4,
     .least = 1,
     .most = KMEANS_MOST_BITS,
     .type = &weight_kmeans_rows,
     .encode = kmeans_encode_rows},
    {.name = "svd",
     .summary = "low rank",
     .value = BITS,
     .default_value = 4.5,
     .least = 0.01,
     .most = 32,
     .type = &weight_low_rank,
     .encode = low_rank_encode},
    {.name = "svd-inputs",
     .summary = "low rank, for the model's inputs",
     .value = BITS,
     .default_value = 4.5,
     .least = 0.01,
     .most = 32,
     .needs_moments = true,
     .type = &weight_low_rank,
     .encode = low_rank_encode_weighted},
    TILES("top-k", "pruning: the largest weights", top_k, 32, 0, 92),
    TILES("dct", "the largest of the DCT", dct, 32, 0, 92),
    TILES("rbe", "8 functions, then the DCT", rbe, 32, RBE_FUNCTIONS, 100),
    TILES("dct@16", "DCT of 16 x 16 tiles", dct_16, 16, 0, 25),
    TILES("dct@64", "DCT of 64 x 64 tiles", dct_64, 64, 0, 342),
    TILES("rbe@16", "RBE of 16 x 16 tiles", rbe_16, 16, RBE_FUNCTIONS, 29),
    TILES("rbe@64", "RBE of 64 x 64 tiles", rbe_64, 64, RBE_FUNCTIONS, 363),
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
    *value = c->default_value;
    if (!colon) return c;
    if (!c->value) die_usage("--codec '%s': %s takes no value", text, c->name);
    char *end;
    *value = strtod(colon + 1, &end);
    /* only bits of a low rank may be a fraction */
    bool whole = c->least < 1 || *value == floor(*value);
    if (end == colon + 1 || *end || !(*value >= c->least && *value <= c->most) ||
        !whole)
        die_usage("--codec '%s': expected %g to %g: %s", text, c->least, c->most,
                  c->value);
    return c;
}

Weight codec_encode(const Codec *codec, double value, const Matrix *m) {
    while (m->cols % codec->type->block && codec->fallback)
        codec = by_name(codec->fallback, strlen(codec->fallback));
    if (codec->needs_moments && !m->moments)
        die("codec %s: needs a text, whose inputs it looks at", codec->name);
    return (Weight){.type = codec->type,
                    .data = codec->encode(m, value),
                    .rows = m->rows,
                    .cols = m->cols};
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
        /* the stream holds the rank */
        range[1] = type == &weight_low_rank ? 1 << 16 : (uint32_t)codecs[i].most;
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
            off += d * d;
            all += x * x;
        }
    }
    free(row);
    return off > 0 ? sqrt(off / all) : 0;
}

double codec_bits(const Weight *w) {
    return 8 * (double)weight_bytes(w) / ((double)w->rows * (double)w->cols);
}
