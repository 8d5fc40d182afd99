/* Small models for exercise 17/gpt2, made from a seed, and the files that they become.
 * Each has a directory below build/one-file, where a learner may look at it. */
#ifndef TESTS_17_TINY_H
#define TESTS_17_TINY_H

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"
#include "files/file.h"
#include "math/random.h"

enum { MOST_LAYERS = 4, MOST_TENSORS = 4 + 12 * MOST_LAYERS };

typedef struct {
    char name[40];
    size_t rows, columns; /* rows 0: one axis */
    float *values;
} TinyTensor;

typedef struct {
    float *ln_1_w, *ln_1_b, *attn_w, *attn_b, *proj_w, *proj_b;
    float *ln_2_w, *ln_2_b, *fc_w, *fc_b, *out_w, *out_b;
} TinyLayer;

typedef struct {
    size_t V, P, L, H, D, F;
    double eps;
    float *wte, *wpe, *ln_f_w, *ln_f_b;
    TinyLayer layers[MOST_LAYERS];
    TinyTensor tensors[MOST_TENSORS];
    size_t n_tensors;
} Tiny;

static size_t tiny_size(const TinyTensor *t) {
    return (t->rows ? t->rows : 1) * t->columns;
}

static float *tiny_add(Tiny *m, const char *name, size_t rows, size_t columns) {
    TinyTensor *t = &m->tensors[m->n_tensors++];
    *t = (TinyTensor){.rows = rows, .columns = columns};
    snprintf(t->name, sizeof t->name, "%s", name);
    t->values = checked_alloc(tiny_size(t), sizeof *t->values);
    Random r = random_stream(17, m->n_tensors);
    bool gain = strstr(name, "ln_") && strstr(name, "weight");
    for (size_t i = 0; i < tiny_size(t); i++)
        t->values[i] = (float)(gain + 0.4 * random_normal(&r));
    return t->values;
}

static float *tiny_part(Tiny *m, size_t l, const char *part, size_t rows,
                        size_t columns) {
    char name[40];
    snprintf(name, sizeof name, "h.%zu.%s", l, part);
    return tiny_add(m, name, rows, columns);
}

/* A model of these sizes with random weights and an unusual eps. */
static Tiny tiny_model(size_t V, size_t P, size_t L, size_t H, size_t D, size_t F) {
    Tiny m = {.V = V, .P = P, .L = L, .H = H, .D = D, .F = F, .eps = 0.03};
    for (size_t l = 0; l < L; l++) {
        TinyLayer *w = &m.layers[l];
        w->ln_1_w = tiny_part(&m, l, "ln_1.weight", 0, D);
        w->ln_1_b = tiny_part(&m, l, "ln_1.bias", 0, D);
        w->attn_w = tiny_part(&m, l, "attn.c_attn.weight", D, 3 * D);
        w->attn_b = tiny_part(&m, l, "attn.c_attn.bias", 0, 3 * D);
        w->proj_w = tiny_part(&m, l, "attn.c_proj.weight", D, D);
        w->proj_b = tiny_part(&m, l, "attn.c_proj.bias", 0, D);
        w->ln_2_w = tiny_part(&m, l, "ln_2.weight", 0, D);
        w->ln_2_b = tiny_part(&m, l, "ln_2.bias", 0, D);
        w->fc_w = tiny_part(&m, l, "mlp.c_fc.weight", D, F);
        w->fc_b = tiny_part(&m, l, "mlp.c_fc.bias", 0, F);
        w->out_w = tiny_part(&m, l, "mlp.c_proj.weight", F, D);
        w->out_b = tiny_part(&m, l, "mlp.c_proj.bias", 0, D);
    }
    m.wpe = tiny_add(&m, "wpe.weight", P, D);
    m.ln_f_w = tiny_add(&m, "ln_f.weight", 0, D);
    m.ln_f_b = tiny_add(&m, "ln_f.bias", 0, D);
    m.wte = tiny_add(&m, "wte.weight", V, D);
    return m;
}

/* Layers of which these matrices are 0 add nothing in that half. */
static void silence_attention(Tiny *m) {
    for (size_t l = 0; l < m->L; l++) {
        memset(m->layers[l].proj_w, 0, m->D * m->D * sizeof(float));
        memset(m->layers[l].proj_b, 0, m->D * sizeof(float));
    }
}

static void silence_mlp(Tiny *m) {
    for (size_t l = 0; l < m->L; l++) {
        memset(m->layers[l].out_w, 0, m->F * m->D * sizeof(float));
        memset(m->layers[l].out_b, 0, m->D * sizeof(float));
    }
}

static void tiny_silence(Tiny *m) {
    silence_attention(m);
    silence_mlp(m);
}

/* --- files, which processes may make at the same time: a path has the same bytes in
 * every run --- */

static const char *tiny_path(const char *directory, const char *name) {
    static char path[200];
    make_directory(directory);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void tiny_file(const char *directory, const char *name, const void *bytes,
                      size_t n) {
    char next[240];
    const char *path = tiny_path(directory, name);
    snprintf(next, sizeof next, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(next, "wb");
    CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0 &&
              rename(next, path) == 0,
          "the test cannot write %s", path);
}

static void tiny_text(const char *directory, const char *name, const char *text) {
    tiny_file(directory, name, text, strlen(text));
}

/* The directory of a case that is refused, by what is wrong with it. Processes may run
 * one case at a time, so it holds the same files in every run. */
static const char *tiny_refused(const char *why) {
    const char *room = "build/one-file/refused";
    char *directory = checked_alloc(strlen(room) + strlen(why) + 2, 1),
         *to = directory + sprintf(directory, "%s-", room);
    for (; *why; why++) {
        bool kept = isalnum((unsigned char)*why) || *why == '_';
        if (kept || to[-1] != '-') *to++ = kept ? *why : '-';
    }
    return directory;
}

/* The header, with a prefix for all names, and what older files hold besides: masks,
 * metadata, the head once more, of other types. */
static char *tiny_header(const Tiny *m, const char *prefix, bool old) {
    char *text = checked_alloc(1 << 16, 1), *at = text;
    size_t offset = 0;
    at += sprintf(at, "{");
    if (old)
        at += sprintf(at, "\"__metadata__\":{\"format\":\"pt\",\"n\":\"{\\\"wte."
                          "weight\\\":[1]}\"},");
    for (size_t i = 0; i < m->n_tensors; i++) {
        const TinyTensor *t = &m->tensors[i];
        size_t end = offset + 4 * tiny_size(t);
        at += sprintf(at, "%s\"%s%s\":{\"dtype\":\"F32\",\"shape\":[", i ? "," : "",
                      prefix, t->name);
        if (t->rows) at += sprintf(at, "%zu,", t->rows);
        at += sprintf(at, "%zu],\"data_offsets\":[%zu,%zu]}", t->columns, offset, end);
        offset = end;
    }
    if (old)
        at += sprintf(at,
                      ",\"%sh.0.attn.bias\":{\"dtype\":\"U8\",\"shape\":[1,1,2,2],"
                      "\"data_offsets\":[%zu,%zu]},\"%sh.0.attn.masked_bias\":{"
                      "\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[%zu,%zu]}",
                      prefix, offset, offset + 4, prefix, offset + 4, offset + 8);
    at += sprintf(at, "}");
    while ((at - text) % 8) *at++ = ' ';
    return text;
}

/* model.safetensors with this header; cut: so many bytes less at the end. */
static void tiny_weights(const Tiny *m, const char *directory, const char *header,
                         size_t cut) {
    size_t length = strlen(header), n = 8 + length + 8;
    for (size_t i = 0; i < m->n_tensors; i++) n += 4 * tiny_size(&m->tensors[i]);
    char *bytes = checked_alloc(n, 1), *at = bytes + 8 + length;
    for (size_t i = 0; i < 8; i++) bytes[i] = (char)(length >> 8 * i & 255);
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < m->n_tensors; i++) {
        memcpy(at, m->tensors[i].values, 4 * tiny_size(&m->tensors[i]));
        at += 4 * tiny_size(&m->tensors[i]);
    }
    tiny_file(directory, "model.safetensors", bytes, n - cut);
}

static char *tiny_config(const Tiny *m) {
    char *text = checked_alloc(2000, 1);
    sprintf(text,
            "{\n  \"activation_function\": \"gelu_new\",\n  \"architectures\": "
            "[\"GPT2LMHeadModel\"],\n  \"attn_pdrop\": 0.1,\n  "
            "\"layer_norm_epsilon\": %g,\n  \"model_type\": \"gpt2\",\n  \"n_ctx\": "
            "7,\n  \"n_embd\": %zu,\n  \"n_head\": %zu,\n  \"n_inner\": %zu,\n  "
            "\"n_layer\": %zu,\n  \"n_positions\": %zu,\n  \"scale_attn_weights\": "
            "true,\n  \"task_specific_params\": {\"text-generation\": {\"do_sample\": "
            "true}},\n  \"vocab_size\": %zu\n}\n",
            m->eps, m->D, m->H, m->F, m->L, m->P, m->V);
    return text;
}

/* "build/one-file/NAME", with the model's two files. */
static void tiny_config_and_weights(const Tiny *m, const char *directory) {
    tiny_text(directory, "config.json", tiny_config(m));
    tiny_weights(m, directory, tiny_header(m, "", false), 8);
}

static const char *tiny_save(const Tiny *m, const char *name) {
    char *directory = checked_alloc(100, 1);
    snprintf(directory, 100, "build/one-file/%s", name);
    tiny_config_and_weights(m, directory);
    return directory;
}

#endif
