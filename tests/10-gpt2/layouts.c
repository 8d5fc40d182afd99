/* Every checkpoint layout in tests/golden, as it would come from Hugging Face: what
 * --dump writes is compared with PyTorch's float64 numbers, where those have it (the
 * rest is in dump.c). GOLDEN_DIR names another
 * directory of the same kind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/dump.h"
#include "check/check.h"
#include "files/file.h"
#include "check/golden.h"
#include "base/memory.h"
#include "check/remove_tree.h"

static const char *const models[] = {"tiny_gpt2", "tiny_gpt2_variant"};
static const char *const layouts[] = {"model", "model_prefixed", "model_old_full",
                                      "model_boolmask"};

static void copy_file(const char *from, const char *directory, const char *to) {
    size_t bytes;
    char *data = file_read(golden_path(from), &bytes);
    put_file(path_join(directory, to), data, bytes);
    free(data);
}

/* A directory with the model's config and the checkpoint under the standard name. */
static char *directory_with(const char *model, const char *layout) {
    char from[200], *directory = new_directory();
    snprintf(from, sizeof from, "%s/config.json", model);
    copy_file(from, directory, "config.json");
    snprintf(from, sizeof from, "%s/%s.safetensors", model, layout);
    copy_file(from, directory, "model.safetensors");
    return directory;
}

/* The largest distance of a dumped tensor from row b of PyTorch's [B, ...]. */
static double distance(const SafeTensor *x, const double *expected, size_t b,
                       double *largest) {
    double *got = checked_alloc(x->size, sizeof *got), worst = 0;
    safetensors_to_double(got, x);
    *largest = 0;
    for (size_t i = 0; i < x->size; i++) {
        double e = expected[b * x->size + i], off = fabs(got[i] - e);
        if (!(off <= worst)) worst = off; /* NaN too */
        *largest = fmax(*largest, fabs(e));
    }
    free(got);
    return worst;
}

/* The tensors of the dump that PyTorch has: the logits to 1e-4, the others to 1e-5 of
 * their largest element; the gradients and the loss are those of the batch. */
static void check_row(const char *what, const SafeTensors *dump, const char *family,
                      size_t b, size_t n_layer) {
    size_t compared = 0;
    for (size_t i = 0; i < dump->count; i++) {
        const SafeTensor *x = &dump->tensors[i];
        bool of_batch =
            strncmp(x->name, "grad.", 5) == 0 || strcmp(x->name, "loss") == 0;
        if (of_batch || !golden_has(family, NULL, x->name)) continue;
        compared++;
        double largest,
            off = distance(x, golden(family, NULL, x->name, NULL), b, &largest);
        double allowed = strcmp(x->name, "logits") == 0 ? 1e-4 : 1e-5 * largest;
        CHECK(off <= allowed, "%s: %s is off by %.2g, allowed is %.2g", what, x->name,
              off, allowed);
    }
    CHECK(compared == 3 + 4 * n_layer, "%s: %zu tensors are PyTorch's", what, compared);
}

/* Dumps each row of PyTorch's batch; the batch's loss and gradients are the means over
 * its rows. */
static void check_layout(const char *model, const char *layout) {
    char what[200], family[100];
    snprintf(what, sizeof what, "%s/%s", model, layout);
    snprintf(family, sizeof family, "%s/golden_f64", model);
    char *directory = directory_with(model, layout),
         *path = path_join(directory, "dump.safetensors");
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape(family, NULL, "tokens", shape);
    const int *tokens = golden_int(family, NULL, "tokens", NULL);
    size_t batch = shape[0], length = shape[1] - 1;

    Gpt2 *m = gpt2_load(directory, PARAMS_TRAIN);
    double **gradients = checked_alloc(m->params.n, sizeof(double *)), loss = 0;
    for (size_t b = 0; b < batch; b++) {
        Gpt2Input row = {
            .tokens = tokens + b * (length + 1), .batch = 1, .length = length};
        loss += gpt2_dump(m, &row, row.tokens + 1, true, path).loss / (double)batch;
        SafeTensors dump = safetensors_open(path);
        check_row(what, &dump, family, b, m->config.n_layer);
        size_t expected_count = 6 + m->config.n_layer * 14 + m->params.n;
        CHECK(dump.count == expected_count, "%s: %zu tensors, expected %zu", what,
              dump.count, expected_count);
        for (size_t i = 0; i < m->params.n; i++) {
            const Tensor *x = m->params.items[i].tensor;
            if (!gradients[i])
                gradients[i] = checked_alloc(tensor_size(x), sizeof(double));
            for (size_t k = 0; k < tensor_size(x); k++)
                gradients[i][k] += (double)x->grad[k] / (double)batch;
        }
        safetensors_close(&dump);
    }
    CHECK(fabs(loss - golden(family, NULL, "loss", NULL)[0]) < 1e-5,
          "%s: the loss is %.7f", what, loss);
    for (size_t i = 0; i < m->params.n; i++) {
        char name[300];
        snprintf(name, sizeof name, "grad.%s", m->params.items[i].name);
        const double *expected = golden(family, NULL, name, NULL);
        double worst = 0, largest = 0;
        for (size_t k = 0; k < tensor_size(m->params.items[i].tensor); k++) {
            double off = fabs(gradients[i][k] - expected[k]);
            if (!(off <= worst)) worst = off;
            largest = fmax(largest, fabs(expected[k]));
        }
        CHECK(worst <= 1e-5 * largest, "%s: %s is off by %.2g of its largest element",
              what, name, worst / largest);
    }
    gpt2_free(m);
    remove_tree(directory);
}

Test(layouts, all_that_is_dumped_equals_pytorch, .timeout = 60) {
    for (size_t m = 0; m < 2; m++) {
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
            check_layout(models[m], layouts[l]);
    }
}

/* Half precision: PyTorch's logits from the same rounded weights. */
Test(layouts, half_precision, .timeout = 60) {
    const char *const kinds[] = {"f16", "bf16"};
    for (size_t i = 0; i < 4; i++) {
        char layout[100], tensor[100], tokens_family[100], family[100];
        const char *model = models[i / 2], *kind = kinds[i % 2];
        snprintf(layout, sizeof layout, "model_%s", kind);
        snprintf(tensor, sizeof tensor, "logits_%s", kind);
        snprintf(tokens_family, sizeof tokens_family, "%s/golden_f64", model);
        snprintf(family, sizeof family, "%s/golden_half", model);
        char *directory = directory_with(model, layout),
             *path = path_join(directory, "dump.safetensors");
        size_t shape[SAFETENSORS_MAX_NDIM];
        golden_shape(tokens_family, NULL, "tokens", shape);
        const int *tokens = golden_int(tokens_family, NULL, "tokens", NULL);
        Gpt2 *m = gpt2_load(directory, PARAMS_MAPPED),
             *floats = gpt2_load(directory, PARAMS_INFER);
        CHECK(m->wte->stored && !m->wte->data, "%s/%s: the token table was converted",
              model, layout);
        for (size_t b = 0; b < shape[0]; b++) {
            size_t bytes, bytes_of_floats;
            Gpt2Input row = {
                .tokens = tokens + b * shape[1], .batch = 1, .length = shape[1] - 1};
            gpt2_dump(floats, &row, NULL, false, path);
            char *of_floats = file_read(path, &bytes_of_floats);
            size_t laid_out = 0;
            do {
                gpt2_dump(m, &row, NULL, false, path);
                char *dumped = file_read(path, &bytes);
                CHECK(bytes == bytes_of_floats && memcmp(dumped, of_floats, bytes) == 0,
                      "%s/%s: with %zu parts laid out for writing, and the others read "
                      "where they are in the file, the bytes are others than of floats",
                      model, layout, laid_out);
                laid_out++;
                free(dumped);
            } while (gpt2_repack_next(m));
            free(of_floats);
            SafeTensors dump = safetensors_open(path);
            double largest,
                off = distance(safetensors_find(&dump, "logits"),
                               golden(family, NULL, tensor, NULL), b, &largest);
            CHECK(off <= 1e-4, "%s/%s: a logit is off by %.2g, allowed is 1e-4", model,
                  layout, off);
            safetensors_close(&dump);
        }
        gpt2_free(m);
        gpt2_free(floats);
        remove_tree(directory);
    }
}
