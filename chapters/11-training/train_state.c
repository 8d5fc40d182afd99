/* Checkpoints from which training goes on bit for bit: see train.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/train.h"
#include "base/error.h"
#include "checkpoints/safetensors.h"

static const char file_name[] = "training.safetensors";
/* Older checkpoints have "settings", with numbers in the place of names. */
static const char settings_key[] = "configuration";
static const char start_key[] = "from";
static const char scale_name[] = "loss_scale"; /* factor, good steps */

/* Everything but the number of steps done: two runs with the same line make the same
 * bytes. */
static void add_run(char text[CONFIG_TEXT_BYTES], const Trainer *t) {
    const Dataset *data = t->data;
    *text = 0;
    train_config_text(text, &t->settings);
    config_text_add(text, " vocabulary %s text %s tokens %zu validation %zu",
                    *data->vocabulary ? data->vocabulary : "-", t->text, data->train.n,
                    data->validation.n);
}

enum { LOG_COLUMNS = sizeof(StepLog) / sizeof(float) };

void trainer_save(const Trainer *t, Directory *directory) {
    char settings[CONFIG_TEXT_BYTES], step[32];
    add_run(settings, t);
    snprintf(step, sizeof step, "%zu", t->step);
    SafetensorsWriter *w = safetensors_begin(file_name);
    safetensors_add_metadata(w, settings_key, settings);
    if (*t->start) safetensors_add_metadata(w, start_key, t->start);
    safetensors_add_metadata(w, "step", step);
    for (size_t i = 0; i < t->model->params.n; i++) {
        const Param *p = &t->model->params.items[i];
        safetensors_add(w, p->name, DTYPE_F32, p->tensor->ndim, p->tensor->shape,
                        p->tensor->data);
    }
    safetensors_add(w, "adamw.m", DTYPE_F32, 1, &t->optimizer.n, t->optimizer.m);
    safetensors_add(w, "adamw.v", DTYPE_F32, 1, &t->optimizer.n, t->optimizer.v);
    safetensors_add(w, "log", DTYPE_F32, 2, (size_t[]){t->step, LOG_COLUMNS}, t->log);
    safetensors_add(w, "block_norms", DTYPE_F32, 2,
                    (size_t[]){t->step, t->settings.model.n_layer}, t->block_norms);
    float scale[] = {t->mixed.scale.factor, (float)t->mixed.scale.good_steps};
    if (t->settings.precision == PRECISION_FLOAT16)
        safetensors_add(w, scale_name, DTYPE_F32, 1, &(size_t){2}, scale);
    safetensors_write(w, directory_add(directory, file_name));
}

static void load(const SafeTensors *file, const char *name, float *into, size_t size) {
    const SafeTensor *x = safetensors_find(file, name);
    if (!x) die("file '%s': tensor '%s' is missing", file->path, name);
    if (x->size != size)
        safetensors_die(x, "it has %zu numbers, expected %zu", x->size, size);
    safetensors_to_float(into, x);
}

/* For the inputs of the next step. (The log may hold NaN: where nothing was
 * validated.) */
static void load_finite(const SafeTensors *file, const char *name, float *into,
                        size_t size) {
    load(file, name, into, size);
    safetensors_expect_finite(safetensors_find(file, name));
}

static void expect_same_run(const Trainer *t, const SafeTensors *file) {
    const char *was = safetensors_metadata(file, settings_key);
    if (!was || !safetensors_metadata(file, "step") || !safetensors_verify(file))
        die("file '%s' is not a checkpoint of a training run, or of an older version "
            "of this program",
            file->path);
    char now[CONFIG_TEXT_BYTES], difference[CONFIG_TEXT_BYTES];
    add_run(now, t);
    config_text_difference(difference, was, now);
    if (*difference)
        die("file '%s' comes from a run with other settings: %s", file->path,
            difference);
}

static size_t step_of(const Trainer *t, const SafeTensors *file) {
    const char *text = safetensors_metadata(file, "step");
    char *end;
    size_t step = strtoul(text, &end, 10);
    if (end == text || *end || step > t->settings.steps)
        die("file '%s': step '%s', expected 0 to %zu", file->path, text,
            t->settings.steps);
    return step;
}

/* "" where the run began with a new model. */
static const char *start_of(const SafeTensors *file) {
    const char *start = safetensors_metadata(file, start_key);
    return start ? start : "";
}

static void load_scale(LossScale *s, const SafeTensors *file) {
    float scale[2];
    load_finite(file, scale_name, scale, 2);
    if (!(scale[0] > 0 && scale[1] >= 0 && scale[1] <= (float)s->grow_after))
        safetensors_die(safetensors_find(file, scale_name),
                        "%g and %g: expected a factor, and 0 to %zu steps",
                        (double)scale[0], (double)scale[1], s->grow_after);
    s->factor = scale[0];
    s->good_steps = (size_t)scale[1];
}

/* Steps in which gradients overflowed are none of the optimizer's. */
static size_t updates_of(const Trainer *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->step; i++) n += !isnan(t->log[i].grad_norm);
    return n;
}

bool trainer_resume(Trainer *t, const char *directory) {
    char *path = path_join(directory, file_name);
    bool found = directory_has(directory, file_name);
    if (found) {
        SafeTensors file = safetensors_open(path);
        expect_same_run(t, &file);
        snprintf(t->start, sizeof t->start, "%s", start_of(&file));
        t->step = step_of(t, &file);
        for (size_t i = 0; i < t->model->params.n; i++) {
            const Param *p = &t->model->params.items[i];
            load_finite(&file, p->name, p->tensor->data, tensor_size(p->tensor));
        }
        load_finite(&file, "adamw.m", t->optimizer.m, t->optimizer.n);
        load_finite(&file, "adamw.v", t->optimizer.v, t->optimizer.n);
        load(&file, "log", &t->log->loss, t->step * LOG_COLUMNS);
        load(&file, "block_norms", t->block_norms, t->step * t->settings.model.n_layer);
        t->optimizer.step = updates_of(t);
        if (t->settings.precision == PRECISION_FLOAT16)
            load_scale(&t->mixed.scale, &file);
        safetensors_close(&file);
    }
    free(path);
    return found;
}

bool trainer_started_from_model(const char *directory) {
    directory_finish(directory);
    if (!directory_has(directory, file_name)) return false;
    char *path = path_join(directory, file_name);
    SafeTensors file = safetensors_open(path);
    bool started = *start_of(&file);
    safetensors_close(&file);
    free(path);
    return started;
}

/* Did a run with these settings write the checkpoint? */
static bool is_own(const Trainer *t, const char *directory) {
    char *path = path_join(directory, file_name), now[CONFIG_TEXT_BYTES];
    SafeTensors file = safetensors_open(path);
    const char *was = safetensors_metadata(&file, settings_key);
    add_run(now, t);
    bool own = was && strcmp(was, now) == 0 && strcmp(start_of(&file), t->start) == 0;
    safetensors_close(&file);
    free(path);
    return own;
}

void training_remove(Directory *directory) {
    directory_remove(directory, file_name);
}

bool directory_holds_model(const char *directory) {
    return directory_has(directory, file_name) ||
           directory_has(directory, "model.safetensors") ||
           directory_has(directory, "model.safetensors.index.json");
}

void trainer_expect_own(const Trainer *t, const char *directory) {
    bool own = directory_has(directory, file_name) && is_own(t, directory);
    if (!own && directory_holds_model(directory))
        die("directory '%s': holds another model; --overwrite replaces it, another "
            "--save keeps it",
            directory);
}

void trainer_expect_writable(const Directory *directory) {
    directory_expect_writable(directory, file_name);
}
