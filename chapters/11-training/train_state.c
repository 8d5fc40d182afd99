/* Checkpoints from which training goes on bit for bit: see train.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "11-training/train.h"
#include "error.h"

/* Everything but the number of steps done, as one line: two runs with the same line make the same bytes. */
static void describe(const Trainer *t, char *text, size_t bytes) {
    const TrainSettings *s = &t->settings;
    const Gpt2Config *m = &s->model;
    const BlockConfig *b = &m->block;
    snprintf(text, bytes,
             "vocab %zu context %zu layers %zu width %zu heads %zu d_ff %zu norm %d placement %d ffn %d "
             "residual %d "
             "positions %d dropout %g/%g/%g seed %llu batch %zu length %zu accumulate %zu steps %zu warmup "
             "%zu rate %g/%g "
             "beta2 %g decay %g clip %g data %zu/%zu",
             m->n_vocab, m->n_ctx, m->n_layer, b->d_model, b->n_head, b->d_ff, (int)b->norm,
             (int)b->placement, (int)b->ffn, (int)b->residual, (int)m->positions, (double)m->embd_dropout,
             (double)b->attn_dropout, (double)b->resid_dropout, (unsigned long long)s->seed, s->batch,
             s->length, s->accumulate, s->steps, s->warmup, (double)s->learning_rate, (double)s->lowest_rate,
             (double)s->beta2, (double)s->weight_decay, (double)s->max_norm, t->data->train.n,
             t->data->validation.n);
}

enum { LOG_COLUMNS = sizeof(StepLog) / sizeof(float) };

void trainer_save(const Trainer *t, const char *path) {
    char settings[1000], step[32];
    describe(t, settings, sizeof settings);
    snprintf(step, sizeof step, "%zu", t->step);
    SafetensorsWriter *w = safetensors_begin(path);
    safetensors_add_metadata(w, "settings", settings);
    safetensors_add_metadata(w, "step", step);
    for (size_t i = 0; i < t->model->params.n; i++) {
        const Param *p = &t->model->params.items[i];
        safetensors_add(w, p->name, DTYPE_F32, p->tensor->ndim, p->tensor->shape, p->tensor->data);
    }
    safetensors_add(w, "adamw.m", DTYPE_F32, 1, &t->optimizer.n, t->optimizer.m);
    safetensors_add(w, "adamw.v", DTYPE_F32, 1, &t->optimizer.n, t->optimizer.v);
    safetensors_add(w, "log", DTYPE_F32, 2, (size_t[]){t->step, LOG_COLUMNS}, t->log);
    safetensors_add(w, "block_norms", DTYPE_F32, 2, (size_t[]){t->step, t->settings.model.n_layer},
                    t->block_norms);
    safetensors_commit(w);
}

static void load(const SafeTensors *file, const char *name, float *into, size_t size) {
    const SafeTensor *x = safetensors_find(file, name);
    if (!x) die("file '%s': tensor '%s' is missing", file->path, name);
    if (x->size != size) safetensors_die(x, "it has %zu numbers, expected %zu", x->size, size);
    safetensors_to_float(into, x);
}

bool trainer_resume(Trainer *t, const char *path) {
    if (access(path, F_OK) != 0) return false;
    SafeTensors file = safetensors_open(path);
    char settings[1000];
    describe(t, settings, sizeof settings);
    const char *stored = safetensors_metadata(&file, "settings"), *step = safetensors_metadata(&file, "step");
    if (!stored || !step) die("file '%s' is not a checkpoint of a training run", path);
    if (strcmp(stored, settings) != 0) {
        die("file '%s' comes from a run with other settings: '%s', now '%s'", path, stored, settings);
    }
    char *end;
    t->step = strtoul(step, &end, 10);
    if (*end || t->step > t->settings.steps)
        die("file '%s': step '%s', expected 0 to %zu", path, step, t->settings.steps);
    for (size_t i = 0; i < t->model->params.n; i++) {
        const Param *p = &t->model->params.items[i];
        load(&file, p->name, p->tensor->data, tensor_size(p->tensor));
    }
    load(&file, "adamw.m", t->optimizer.m, t->optimizer.n);
    load(&file, "adamw.v", t->optimizer.v, t->optimizer.n);
    t->optimizer.step = t->step;
    load(&file, "log", &t->log->loss, t->step * LOG_COLUMNS);
    load(&file, "block_norms", t->block_norms, t->step * t->settings.model.n_layer);
    safetensors_close(&file);
    return true;
}
