/* Training a GPT-2: see train.h. */
#include "11-training/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "11-training/accumulate.h"
#include "11-training/clip_grad_norm.h"
#include "11-training/cosine.h"
#include "11-training/process_group.h"
#include "files/csv.h"
#include "base/error.h"
#include "base/memory.h"

TrainSettings train_settings(const Gpt2Config *model) {
    return (TrainSettings){
        .model = *model,
        .seed = 1,
        .batch = 16,
        .length = model->n_ctx,
        .accumulate = 1,
        .steps = 400,
        .warmup = 40,
        .learning_rate = 3e-3f,
        .lowest_rate = 3e-4f,
        .beta2 = 0.95f,
        .weight_decay = 0.1f,
        .max_norm = 1.0f,
    };
}

void train_config_text(char text[CONFIG_TEXT_BYTES], const TrainSettings *s) {
    gpt2_config_text(text, &s->model);
    config_text_add(
        text, " seed %llu batch %zu length %zu accumulate %zu steps %zu warmup %zu",
        (unsigned long long)s->seed, s->batch, s->length, s->accumulate, s->steps,
        s->warmup);
    config_text_add(text, " rate %.9g lowest_rate %.9g beta2 %.9g decay %.9g clip %.9g",
                    (double)s->learning_rate, (double)s->lowest_rate, (double)s->beta2,
                    (double)s->weight_decay, (double)s->max_norm);
    if (s->precision != PRECISION_FLOAT32) /* older checkpoints know no other */
        config_text_add(text, " precision %s", precision_name(s->precision));
}

/* Resuming on another text of the same length would go unnoticed. */
static void checksum_of_text(char text[CHECKSUM_TEXT], const Dataset *data) {
    Checksum sum = checksum_begin();
    checksum_add(&sum, data->train.tokens, data->train.n * sizeof *data->train.tokens);
    checksum_add(&sum, data->validation.tokens,
                 data->validation.n * sizeof *data->validation.tokens);
    checksum_end(&sum, text);
}

static void checksum_of_weights(char text[CHECKSUM_TEXT], const Params *params) {
    Checksum sum = checksum_begin();
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        checksum_add(&sum, x->data, tensor_size(x) * sizeof *x->data);
    }
    checksum_end(&sum, text);
}

Trainer trainer_create(const TrainSettings *settings, const Dataset *data,
                       Gpt2 *model) {
    Trainer t = {.settings = *settings,
                 .data = data,
                 .model = model,
                 .tape = tape_for_training(settings->seed)};
    if (model) {
        checksum_of_weights(t.start, &model->params);
    } else {
        Random init = random_stream(settings->seed, STREAM_INIT);
        t.model = gpt2_create(&settings->model, PARAMS_TRAIN, &init);
    }
    checksum_of_text(t.text, data);
    t.optimizer = adamw_create(&t.model->params, 0, settings->weight_decay);
    t.optimizer.settings.beta2 = settings->beta2;
    t.mixed = mixed_create(settings->precision, &t.model->params);
    t.tape.watch = precision_watch(settings->precision);
    size_t tokens = size_mul(settings->batch, settings->length);
    t.inputs = checked_alloc(tokens, sizeof *t.inputs);
    t.targets = checked_alloc(tokens, sizeof *t.targets);
    t.log = checked_alloc(settings->steps, sizeof *t.log);
    t.block_norms = checked_alloc(size_mul(settings->steps, settings->model.n_layer),
                                  sizeof *t.block_norms);
    t.norms = checked_alloc(t.model->params.n, sizeof *t.norms);
    return t;
}

void trainer_free(Trainer *t) {
    if (t->model) gpt2_free(t->model);
    adamw_free(&t->optimizer);
    mixed_free(&t->mixed);
    tape_free(&t->tape);
    free(t->inputs);
    free(t->targets);
    free(t->log);
    free(t->block_norms);
    free(t->norms);
}

/* The L2 norm of the gradients of block l. */
static double block_grad_norm(const Trainer *t, size_t l) {
    char prefix[32];
    int bytes = snprintf(prefix, sizeof prefix, "h.%zu.", l);
    double sum = 0;
    for (size_t i = 0; i < t->model->params.n; i++) {
        if (strncmp(t->model->params.items[i].name, prefix, (size_t)bytes) == 0)
            sum += pow(t->norms[i], 2);
    }
    return sqrt(sum);
}

Tensor *trainer_micro_loss(Tape *tape, void *trainer, size_t index) {
    Trainer *t = trainer;
    const TrainSettings *s = &t->settings;
    dataset_train_batch(t->data, s->seed, t->step * s->accumulate + index, s->batch,
                        s->length, t->inputs, t->targets);
    Gpt2Input input = {.tokens = t->inputs, .batch = s->batch, .length = s->length};
    Tensor *loss = gpt2_loss(tape, t->model, &input, t->targets);
    float factor = t->mixed.scale.factor;
    return factor == 1 ? loss : tape_scale(tape, loss, factor);
}

static Tensor *next_micro_loss(Tape *tape, void *trainer, size_t index) {
    Trainer *t = trainer;
    if (index > 0) mixed_keep(&t->mixed, &t->model->params);
    return trainer_micro_loss(tape, t, index);
}

/* Clips and updates; returns the norm of all gradients before. Where it is not finite,
 * nothing is changed. */
static double update(Trainer *t) {
    Params *params = &t->model->params;
    double most = (double)t->settings.max_norm, sum = 0;
    for (size_t i = 0; i < params->n; i++)
        sum += t->norms[i] = tensor_grad_norm(params->items[i].tensor);
    if (!isfinite(sum)) return sum;
    double norm = most > 0 ? clip_grad_norm(params, most) : params_grad_norm(params);
    adamw_step(&t->optimizer, params);
    return norm;
}

/* After the update: gradients that overflowed float16 may not with a smaller factor. */
static void scale_loss(Trainer *t, bool overflowed) {
    const float least = 0x1p-14f;
    bool can_fall =
        t->settings.precision == PRECISION_FLOAT16 && t->mixed.scale.factor > least;
    if (overflowed && !can_fall)
        die("step %zu: the gradients are not finite; the weights of step %zu are kept",
            t->step + 1, t->step);
    loss_scale_update(&t->mixed.scale, overflowed);
}

static StepLog log_step(Trainer *t, float loss, double norm) {
    size_t n_layer = t->settings.model.n_layer;
    bool overflowed = !isfinite(norm);
    StepLog log = {.loss = loss,
                   .grad_norm = overflowed ? NAN : (float)norm,
                   .learning_rate = t->optimizer.settings.learning_rate,
                   .validation = NAN,
                   .loss_scale = t->mixed.scale.factor};
    for (size_t l = 0; l < n_layer; l++)
        t->block_norms[t->step * n_layer + l] =
            overflowed ? NAN : (float)block_grad_norm(t, l);
    return t->log[t->step] = log;
}

StepLog trainer_step(Trainer *t) {
    const TrainSettings *s = &t->settings;
    Params *params = &t->model->params;
    ProcessGroup *group = t->group; /* NULL before chapter 16 */
    if (t->step >= s->steps) die("all %zu steps are done", s->steps);
    /* Dropout's random numbers are a function of the step, so that a resumed run draws
     * the same. */
    t->tape.random = random_stream(s->seed, STREAM_DROPOUT);
    t->tape.random.next = (uint64_t)t->step << 40;
    t->tape.training = true;

    params_zero_grad(params);
    mixed_begin(&t->mixed, params); /* rounds, with --precision */
    float loss =
        group ? group->gradients(group, t)
              : accumulate_gradients(&t->tape, s->accumulate, NULL, next_micro_loss, t);
    mixed_end(&t->mixed, params);
    loss /= t->mixed.scale.factor;
    if (!isfinite(loss))
        die("step %zu: the loss is %f; the weights of step %zu are kept", t->step + 1,
            (double)loss, t->step);
    t->optimizer.settings.learning_rate =
        cosine_rate(s->learning_rate, s->lowest_rate, t->step + 1, s->warmup, s->steps);
    double norm = group && group->update ? group->update(group, t) : update(t);
    StepLog log = log_step(t, loss, norm);
    scale_loss(t, !isfinite(norm));
    t->step++;
    return log;
}

/* The windows of a batch: returns how many there are, 0 at the end of the text, and in
 * *counted how many of their targets count. */
static size_t fill_validation_batch(Trainer *t, size_t *cursor, size_t most,
                                    TargetFilter *keep, void *context,
                                    size_t *counted) {
    size_t length = t->settings.length, rows = 0;
    *counted = 0;
    for (; rows < most; rows++) {
        int *inputs = t->inputs + rows * length, *targets = t->targets + rows * length;
        if (!dataset_next_window(t->data, cursor, length, inputs, targets)) break;
        if (keep) keep(context, inputs, targets, length);
        for (size_t i = 0; i < length; i++) *counted += targets[i] != IGNORE_TARGET;
    }
    return rows;
}

/* Over at most `most` windows. */
static double validation_loss(Trainer *t, size_t most, TargetFilter *keep,
                              void *context, size_t *counted) {
    const TrainSettings *s = &t->settings;
    tape_use_for_inference(&t->tape);
    double sum = 0;
    size_t cursor = 0, windows = 0;
    *counted = 0;
    while (windows < most) {
        size_t tokens, wanted = most - windows < s->batch ? most - windows : s->batch;
        size_t rows = fill_validation_batch(t, &cursor, wanted, keep, context, &tokens);
        if (!rows) break;
        windows += rows;
        if (!tokens) continue;
        tape_reset(&t->tape);
        Gpt2Input input = {.tokens = t->inputs, .batch = rows, .length = s->length};
        sum += (double)gpt2_loss(&t->tape, t->model, &input, t->targets)->data[0] *
               (double)tokens;
        *counted += tokens;
    }
    tape_use_for_training(&t->tape);
    return sum / (double)*counted;
}

double trainer_validate(Trainer *t, size_t most) {
    size_t counted;
    double loss = validation_loss(t, most ? most : SIZE_MAX, NULL, NULL, &counted);
    if (t->step) t->log[t->step - 1].validation = (float)loss;
    return loss;
}

double trainer_part_loss(Trainer *t, TargetFilter *keep, void *context,
                         size_t *counted) {
    return validation_loss(t, SIZE_MAX, keep, context, counted);
}

/* "step,loss,...,block_0,block_1", a column for each layer. */
static Csv begin_log(const char *directory, const char *name, size_t n_layer,
                     bool scaled) {
    static const char first[] = "step,loss,validation,floor,grad_norm,learning_rate",
                      scale[] = ",loss_scale,skipped",
                      block[] = ",block_18446744073709551615";
    size_t most = sizeof first + sizeof scale + n_layer * sizeof block;
    char *header = checked_alloc(most, 1);
    size_t used = (size_t)snprintf(header, most, "%s%s", first, scaled ? scale : "");
    for (size_t l = 0; l < n_layer; l++)
        used += (size_t)snprintf(header + used, most - used, ",block_%zu", l);
    Csv csv = csv_begin(directory, name, header);
    free(header);
    return csv;
}

/* A number behind a comma; nothing for NaN. */
static void add_number(FileWriter *w, float x) {
    file_printf(w, ",");
    if (!isnan(x)) file_printf(w, "%.6g", (double)x);
}

void trainer_write_csv(const Trainer *t, const char *directory, const char *name) {
    size_t n_layer = t->settings.model.n_layer;
    bool scaled = t->settings.precision == PRECISION_FLOAT16;
    Csv csv = begin_log(directory, name, n_layer, scaled);
    for (size_t i = 0; i < t->step; i++) {
        const StepLog *log = &t->log[i];
        file_printf(&csv.file, "%zu,%.6g", i + 1, (double)log->loss);
        add_number(&csv.file, log->validation);
        file_printf(&csv.file, ",%.6g", t->data->floor);
        add_number(&csv.file, log->grad_norm);
        add_number(&csv.file, log->learning_rate);
        if (scaled)
            file_printf(&csv.file, ",%.6g,%d", (double)log->loss_scale,
                        isnan(log->grad_norm));
        for (size_t l = 0; l < n_layer; l++)
            add_number(&csv.file, t->block_norms[i * n_layer + l]);
        file_printf(&csv.file, "\n");
    }
    csv_commit(&csv);
}
