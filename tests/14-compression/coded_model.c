/* Models with coded matrices: calibrated, saved and loaded; damaged files. */
#include "14-compression/coded_model.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/family.h"
#include "12-generation/trained_models.h"
#include "13-kv-cache/kv_cache.h"
#include "14-compression/tiles.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"
#include "check/remove_tree.h"

static char *const place = scratch;
TestSuite(coded_model, .init = scratch_begin, .fini = scratch_end, .timeout = 60);

enum { LENGTH = 12, VOCAB = 257 };
static const int ids[LENGTH] = {0, 256, 7, 7, 100, 200, 31, 32, 33, 64, 1, 2};

static Gpt2 *random_model(void) {
    Gpt2Config config = gpt2_config(VOCAB, LENGTH, 2, 2, 64);
    Random init = random_create(1);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static float *logits_of(const Gpt2 *model) {
    Tape t = tape_for_inference();
    const float *logits =
        gpt2_logits(&t, model,
                    &(Gpt2Input){.tokens = ids, .batch = 1, .length = LENGTH})
            ->data;
    float *copy = checked_alloc(LENGTH * VOCAB, sizeof *copy);
    memcpy(copy, logits, LENGTH * VOCAB * sizeof *copy);
    tape_free(&t);
    return copy;
}

static double distance(const float *a, const float *b) {
    double worst = 0;
    for (size_t i = 0; i < LENGTH * VOCAB; i++)
        worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
    return worst;
}

/* A coded model computes the same bytes after it was saved and loaded, through the
 * cache too; coded_undo gives the original back. */
static void check_form(const char *text) {
    Gpt2 *model = random_model();
    float *before = logits_of(model);
    double value;
    const Codec *codec = codec_find(text, &value);
    Calibration calibration = calibrate(model, ids, LENGTH);
    Coded coded = coded_begin(model);
    code_model(&coded, codec, value, &calibration, NULL);
    float *with = logits_of(model);
    CHECK(distance(with, before) > 0, "%s: the logits are those of floats", text);
    char *name = checked_alloc(strlen(text) + 6, 1);
    strcat(strcpy(name, text), gguf_has_type(codec->type) ? ".gguf" : "");
    char *path = path_join(place, name);
    family_save(model, NULL, path);
    size_t floats, bytes = coded_bytes(&coded, &floats);

    Gpt2 *again = coded_model_load(path);
    float *loaded = logits_of(again);
    CHECK(memcmp(loaded, with, LENGTH * VOCAB * sizeof *with) == 0,
          "%s: loaded, it computes other bits", text);
    CHECK(params_bytes(&again->params) == params_bytes(&model->params),
          "%s: %zu bytes of weights, before %zu", text, params_bytes(&again->params),
          params_bytes(&model->params));
    KvCache cache = kv_cache_create(&again->config, 1, LENGTH);
    Tape t = tape_for_inference();
    for (size_t i = 0; i < LENGTH; i++) {
        const float *one =
            kv_cache_logits(&t, again, &cache, ids + i, 1, (size_t[]){1});
        for (size_t v = 0; v < VOCAB; v++)
            CHECK(fabsf(one[v] - with[i * VOCAB + v]) < 1e-5f,
                  "%s: position %zu through the cache", text, i);
    }
    tape_free(&t);
    kv_cache_free(&cache);
    gpt2_free(again);

    struct stat status;
    char *file = gguf_has_type(codec->type) ? checked_strdup(path)
                                            : path_join(path, "model.safetensors");
    cr_assert(stat(file, &status) == 0);
    size_t rest = params_bytes(&model->params) - bytes; /* norms, biases, positions */
    CHECK((size_t)status.st_size >= bytes + rest &&
              (size_t)status.st_size < bytes + rest + 8192,
          "%s: the file has %zu bytes, the weights say %zu", text,
          (size_t)status.st_size, bytes + rest);
    free(file);

    coded_undo(&coded);
    float *after = logits_of(model);
    CHECK(memcmp(after, before, LENGTH * VOCAB * sizeof *after) == 0,
          "%s: undone, it is not what it was", text);
    calibration_free(&calibration);
    gpt2_free(model);
    free(before);
    free(with);
    free(loaded);
    free(after);
    free(path);
    free(name);
}

Test(coded_model, every_codec_is_saved_and_loaded) {
    size_t n;
    const Codec *codecs = codec_all(&n);
    for (size_t i = 0; i < n; i++) check_form(codecs[i].name);
}

/* The head reads the hidden states after the last norm: their moments by hand. */
Test(coded_model, moments_are_those_of_the_inputs) {
    Gpt2 *model = random_model();
    Calibration c = calibrate(model, ids, LENGTH);
    Tape t = tape_for_inference();
    Tensor *hidden = gpt2_hidden(
        &t, model, &(Gpt2Input){.tokens = ids, .batch = 1, .length = LENGTH});
    size_t dim = tensor_cols(hidden);
    double *expected = checked_alloc(dim * dim, sizeof *expected);
    for (size_t p = 0; p < LENGTH; p++) {
        for (size_t i = 0; i < dim * dim; i++)
            expected[i] += (double)hidden->data[p * dim + i / dim] *
                           (double)hidden->data[p * dim + i % dim] / LENGTH;
    }
    double mean = 0, *without = checked_alloc(dim * dim, sizeof *without);
    memcpy(without, expected, dim * dim * sizeof *expected);
    for (size_t i = 0; i < dim; i++) mean += expected[i * dim + i] / (double)dim;
    /* the table is read by rows, too */
    for (size_t i = 0; i < dim; i++) expected[i * dim + i] += mean;
    CHECK_CLOSE("moments of the head's inputs", c.moments[0], expected, dim * dim, 1e-5,
                {"only the head's use of the table counts", without});
    free(without);
    for (size_t i = 0; i < c.n; i++) {
        const Param *p = &model->params.items[i];
        CHECK((c.moments[i] != NULL) == is_coded(p) && !p->tensor->stored, "%s",
              p->name);
        for (size_t k = 0;
             c.moments[i] && k < p->tensor->shape[0] && p->tensor != model->wte; k++)
            CHECK(c.moments[i][k * p->tensor->shape[0] + k] >= 0,
                  "%s: a mean square below zero", p->name);
    }
    free(expected);
    tape_free(&t);
    calibration_free(&c);
    gpt2_free(model);
}

Test(coded_model, the_token_table_has_a_value_of_its_own, .timeout = 10) {
    Gpt2 *model = random_model();
    Coded coded = coded_begin(model);
    double value;
    const Codec *codec = codec_find("rbe:20", &value);
    coded.table_value = 100;
    code_model(&coded, codec, value, NULL, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        if (!is_coded(&model->params.items[i])) continue;
        bool table = model->params.items[i].tensor == model->wte;
        Tiles t = tiles_of(&coded.weights[i]);
        CHECK(t.k == (table ? 92 : 12), "%s: %zu coefficients a tile",
              model->params.items[i].name, t.k);
    }
    coded_undo(&coded);
    gpt2_free(model);
}

/* --- a save that was interrupted --- */

/* As a kill leaves it between the journal and the renames: the weights, or all files,
 * have other names. */
static void check_interrupted(const char *const names[], size_t n) {
    Gpt2 *model = random_model();
    Coded coded = coded_begin(model);
    double value;
    const Codec *codec = codec_find("dct:20", &value);
    code_model(&coded, codec, value, NULL, NULL);
    family_save(model, NULL, place);
    char *journal_path = path_join(place, ".unfinished-save");
    FileWriter journal = file_begin(journal_path);
    for (size_t i = 0; i < n; i++) {
        char temporary[64];
        snprintf(temporary, sizeof temporary, "%s.new", names[i]);
        char *from = path_join(place, names[i]), *to = path_join(place, temporary);
        cr_assert(rename(from, to) == 0);
        file_write(&journal, temporary, strlen(temporary) + 1);
        file_write(&journal, names[i], strlen(names[i]) + 1);
        free(from);
        free(to);
    }
    file_commit(&journal);
    Gpt2 *again = coded_model_load(place);
    float *before = logits_of(model), *loaded = logits_of(again);
    CHECK(memcmp(loaded, before, LENGTH * VOCAB * sizeof *before) == 0,
          "loaded, it computes other bits");
    gpt2_free(again);
    coded_undo(&coded);
    gpt2_free(model);
    free(before);
    free(loaded);
    free(journal_path);
}

Test(coded_model, an_interrupted_save_is_finished) {
    check_interrupted((const char *[]){"model.safetensors"}, 1);
    check_interrupted((const char *[]){"config.json", "model.safetensors"}, 2);
}

/* --- damaged directories --- */

static void load(void *unused) {
    (void)unused;
    gpt2_free(coded_model_load(place));
}

/* Saves a model coded by rbe:20 with one tensor changed, then loads it. */
static void check_damage(const char *name, const char *as, size_t bytes, int parameter,
                         const char *message) {
    Gpt2 *model = random_model();
    Coded coded = coded_begin(model);
    double value;
    const Codec *codec = codec_find("rbe:20", &value);
    code_model(&coded, codec, value, NULL, NULL);
    family_save(model, NULL, place);
    char *path = path_join(place, "model.safetensors");
    SafeTensors file = safetensors_open(path);
    SafetensorsWriter *w = safetensors_begin(path);
    char *changed = NULL;
    for (size_t i = 0; i < file.count; i++) {
        const SafeTensor *t = &file.tensors[i];
        if (strcmp(t->name, name) != 0) {
            safetensors_add(w, t->name, t->dtype, t->ndim, t->shape, t->data);
        } else if (as) {
            changed = checked_alloc(t->bytes + bytes, 1);
            memcpy(changed, t->data, t->bytes);
            if (parameter >= 0) memcpy(changed, &parameter, sizeof parameter);
            safetensors_add(w, as, DTYPE_U8, 1, (size_t[]){bytes ? bytes : t->bytes},
                            changed);
        }
    }
    safetensors_commit(w);
    safetensors_close(&file);
    expect_exit(EXIT_INPUT, message, load, NULL);
    coded_undo(&coded);
    gpt2_free(model);
    free(changed);
    free(path);
}

Test(coded_model, damage_is_named) {
    const char *name = "h.0.mlp.c_fc.weight.RBE";
    check_damage(name, NULL, 0, -1, "tensor 'h.0.mlp.c_fc.weight' is missing");
    check_damage(
        name, name, 0, 7,
        "tensor 'h.0.mlp.c_fc.weight.RBE': its parameter is 7, expected 8 to 1032");
    check_damage(name, name, 0, 1033, "its parameter is 1033, expected 8 to 1032");
    check_damage(name, name, 0, 21, "bytes, expected");
    check_damage(name, name, 3, -1, "has 3 bytes");
    check_damage(name, "h.0.mlp.c_fc.weight.KMEANS", 0, 9,
                 "its parameter is 9, expected 1 to 8");
    check_damage(name, "h.0.mlp.c_fc.weight.LOW_RANK", 0, 65536, "bytes, expected");
    check_damage(name, "h.0.mlp.c_fc.weight.Q4_0", 0, -1,
                 "bytes, expected 9216 for Q4_0 [256, 64]");
    check_damage(name, "h.0.mlp.c_fc.weight.Q4_K", 0, -1,
                 "has rows of 64, expected a multiple of 256");
    check_damage(name, "h.0.mlp.c_fc.weight.ABC", 0, -1,
                 "a model of 2 layers has no such tensor");
    check_damage(name, "h.0.mlp.c_fc.bias.RBE", 0, -1,
                 "'h.0.mlp.c_fc.bias' is there twice");
    check_damage(name, "h.0.mlp.c_fc.weight.F16", 0, -1,
                 "bytes, expected 32768 for F16");
}
