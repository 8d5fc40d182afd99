/* Relative error against bits a weight: every codec on noise, on smooth tables, and on
 * trained weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "06-embeddings/sinusoidal.h"
#include "14-compression/codec.h"
#include "14-compression/coded_model.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/models.h"
#include "14-compression/theory.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "math/random.h"

static const struct {
    const char *family, *codec;
} forms[] = {
    {"float", "f16"},         {"float", "bf16"},        {"ggml", "q8_0"},
    {"ggml", "q6_k"},         {"ggml", "q4_1"},         {"ggml", "q4_k"},
    {"ggml", "q4_0"},         {"ggml", "q3"},           {"codebook", "kmeans:8"},
    {"codebook", "kmeans:6"}, {"codebook", "kmeans:4"}, {"codebook", "kmeans:3"},
    {"codebook", "kmeans:2"}, {"codebook", "kmeans:1"}, {"rows", "kmeans-rows:4"},
    {"low-rank", "svd:16"},   {"low-rank", "svd:8.5"},  {"low-rank", "svd:4.5"},
    {"low-rank", "svd:2"},    {"low-rank", "svd:1"},    {"top-k", "top-k:20"},
    {"top-k", "top-k:92"},    {"top-k", "top-k:177"},   {"top-k", "top-k:334"},
    {"top-k", "top-k:640"},   {"DCT", "dct:20"},        {"DCT", "dct:92"},
    {"DCT", "dct:177"},       {"DCT", "dct:334"},       {"DCT", "dct:640"},
    {"RBE", "rbe:8"},         {"RBE", "rbe:28"},        {"RBE", "rbe:100"},
    {"RBE", "rbe:180"},       {"RBE", "rbe:337"},       {"RBE", "rbe:640"},
};
enum { FORMS = sizeof forms / sizeof *forms, SEEDS = 3, SIZE = 256 };

typedef struct {
    double bits[FORMS], error[FORMS];
} Curve;

static size_t form_of(const char *codec) {
    size_t i = 0;
    while (strcmp(forms[i].codec, codec) != 0) i++;
    return i;
}

static Curve measure(const Matrix *m, const char *name, uint64_t seed, Csv *csv,
                     Csv *gains) {
    Curve curve;
    for (size_t f = 0; f < FORMS; f++) {
        double value;
        const Codec *codec = codec_find(forms[f].codec, &value);
        Weight w = codec_encode(codec, value, m);
        curve.bits[f] = codec_bits(&w);
        curve.error[f] = codec_error(&w, m);
        csv_row(csv, "%s,%llu,%s,%s,%.6g,%.6g", name, (unsigned long long)seed,
                forms[f].family, forms[f].codec, curve.bits[f], curve.error[f]);
        free((void *)(uintptr_t)w.data);
    }
    csv_row(gains, "%s,%llu,%.6g", name, (unsigned long long)seed,
            coding_gain(m->data, m->rows, m->cols));
    return curve;
}

/* --- the matrices --- */

static float *white_noise(uint64_t seed) {
    float *x = checked_alloc(SIZE * SIZE, sizeof *x);
    Random random = random_create(seed);
    random_fill_normal(&random, x, SIZE * SIZE, 0.02f);
    return x;
}

/* The surface of the source's table of errors, one wave along each axis, moved to
 * another place by the seed. */
static float *smooth_surface(uint64_t seed) {
    const double turn = 6.28318530717958647692;
    float *x = checked_alloc(SIZE * SIZE, sizeof *x);
    Random random = random_create(seed);
    double row = random_double(&random), col = random_double(&random);
    for (size_t i = 0; i < SIZE * SIZE; i++)
        x[i] = (float)(0.5 * sin_double(turn * ((double)(i / SIZE) / SIZE + row)) *
                       cos_double(turn * ((double)(i % SIZE) / SIZE + col)));
    return x;
}

/* Positions as large as GPT-2's. */
enum { POSITIONS_ROWS = 1024, POSITIONS_COLS = 768 };

static float *sinusoids(void) {
    float *x = checked_alloc(POSITIONS_ROWS * POSITIONS_COLS, sizeof *x);
    sinusoidal_table(x, POSITIONS_ROWS, POSITIONS_COLS);
    return x;
}

/* Of a trained model; rows and columns fill tiles, which theory wants. */
static const struct {
    const char *name, *param;
} trained[] = {{"attention", "h.1.attn.c_attn.weight"},
               {"FFN", "h.1.mlp.c_fc.weight"},
               {"tokens", "wte.weight"},
               {"positions", "wpe.weight"}};
enum {
    TRAINED = sizeof trained / sizeof *trained,
    ATTENTION = 0,
    FFN,
    TOKENS,
    POSITIONS
};

static void measure_model(Curve curves[TRAINED], size_t i, const Settings *settings,
                          Csv *csv, Csv *gains) {
    TextModel m = kept_model(i, settings->seed, settings->quick);
    const Params *params = &m.model->params;
    for (size_t k = 0; k < TRAINED; k++) {
        size_t p = 0;
        while (p < params->n && strcmp(params->items[p].name, trained[k].param) != 0)
            p++;
        if (p == params->n)
            die("rate-distortion: the model has no %s", trained[k].param);
        Matrix matrix;
        float *floats = coded_matrix(&params->items[p], NULL, &matrix);
        curves[k] = measure(&matrix, trained[k].name, settings->seed + i, csv, gains);
        free(floats);
    }
    text_model_free(&m);
}

/* --- theory --- */

/* A share f of the weights kept at 26 bits each, 10 for the place and 16 for the
 * value. */
static void write_theory(const char *directory) {
    Csv csv = csv_begin(directory, "rate-theory", "bits,bound,top_share");
    for (double bits = 0.25; bits < 17; bits *= 1.1)
        csv_row(&csv, "%.6g,%.6g,%.6g", bits, rate_bound(bits),
                top_share_error(bits / 26));
    csv_commit(&csv);
}

/* --- claims --- */

static void claim_noise(const Curve noise[], size_t seeds) {
    double nearest = INFINITY, off = 0;
    const char *who = "";
    for (size_t s = 0; s < seeds; s++) {
        for (size_t f = 0; f < FORMS; f++) {
            double above = noise[s].error[f] / rate_bound(noise[s].bits[f]);
            if (above < nearest) {
                nearest = above;
                who = forms[f].codec;
            }
            unsigned k;
            bool share = sscanf(forms[f].codec, "top-k:%u", &k) == 1 ||
                         sscanf(forms[f].codec, "dct:%u", &k) == 1;
            if (share)
                off = larger(off,
                             fabs(noise[s].error[f] / top_share_error(k / 1024.0) - 1));
        }
    }
    claim(
        nearest > 1,
        "white noise: no codec has less than 2^-bits; the nearest, %s, %.2f times that",
        who, nearest);
    claim(
        off < 0.02,
        "white noise: top-k and DCT have the error of the formula, within %.1f %% (2)",
        100 * off);
}

static void claim_smooth(const Curve surface[], size_t seeds) {
    double most = 0, rbe = 0;
    for (size_t s = 0; s < seeds; s++) {
        most = larger(most, surface[s].error[form_of("dct:20")] /
                                surface[s].error[form_of("q4_0")]);
        rbe = larger(rbe, surface[s].error[form_of("rbe:28")] /
                              surface[s].error[form_of("dct:20")]);
    }
    claim(most < 0.5,
          "smooth surface: 20 DCT coefficients leave at most %.2f of Q4_0's error "
          "(0.5), at a ninth of its "
          "bits",
          most);
    claim(rbe < 1,
          "smooth surface: the eight functions take away %.0f %% of what 20 "
          "coefficients leave, or more",
          100 * (1 - rbe));
}

static void claim_trained(Curve curves[][TRAINED], size_t models) {
    double dct = INFINITY, rbe = INFINITY, wpe = INFINITY;
    for (size_t i = 0; i < models; i++) {
        for (size_t k = ATTENTION; k <= TOKENS; k++) {
            const double *e = curves[i][k].error;
            dct = smaller(dct, e[form_of("dct:334")] / e[form_of("q8_0")]);
            rbe = smaller(rbe, e[form_of("rbe:180")] / e[form_of("q4_0")]);
        }
        const double *e = curves[i][POSITIONS].error;
        wpe = smaller(wpe, e[form_of("rbe:180")] / e[form_of("q4_0")]);
    }
    claim(dct > 10,
          "trained matrices: the DCT at Q8_0's size leaves %.0f times its error or "
          "more (10)",
          dct);
    claim(
        rbe > 2,
        "trained matrices: RBE at Q4_0's size leaves %.1f times its error or more (2)",
        rbe);
    claim(wpe > 1, "learned positions: %.1f times or more (1)", wpe);
}

void experiment_rate_distortion(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "rate-distortion",
                        "matrix,seed,family,codec,bits,error");
    Csv gains = csv_begin(settings->out, "coding-gain", "matrix,seed,gain");
    size_t seeds = settings->quick ? 1 : SEEDS;
    Curve noise[SEEDS], surface[SEEDS], models[MODELS][TRAINED];
    for (size_t s = 0; s < seeds; s++) {
        float *x = white_noise(settings->seed + s),
              *y = smooth_surface(settings->seed + s);
        noise[s] = measure(&(Matrix){.data = x, .rows = SIZE, .cols = SIZE}, "noise",
                           settings->seed + s, &csv, &gains);
        surface[s] = measure(&(Matrix){.data = y, .rows = SIZE, .cols = SIZE},
                             "surface", settings->seed + s, &csv, &gains);
        free(x);
        free(y);
    }
    float *table = sinusoids();
    Curve waves = measure(
        &(Matrix){.data = table, .rows = POSITIONS_ROWS, .cols = POSITIONS_COLS},
        "sinusoids", settings->seed, &csv, &gains);
    free(table);
    size_t n_models = settings->quick ? 1 : MODELS;
    for (size_t i = 0; i < n_models; i++)
        measure_model(models[i], i, settings, &csv, &gains);
    csv_commit(&csv);
    csv_commit(&gains);
    write_theory(settings->out);
    claim_noise(noise, seeds);
    claim_smooth(surface, seeds);
    double ratio = waves.error[form_of("dct:177")] / waves.error[form_of("q4_0")];
    claim(ratio < 1,
          "sinusoids of GPT-2's size: the DCT at Q4_0's bytes leaves %.2f of its error",
          ratio);
    claim_trained(models, n_models);
}
