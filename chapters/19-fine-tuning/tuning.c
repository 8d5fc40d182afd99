/* Fine-tuning: see tuning.h. */
#include "19-fine-tuning/tuning.h"

#include <math.h>
#include <stdlib.h>

#include "11-training/clip_grad_norm.h"
#include "11-training/cosine.h"
#include "11-training/train.h"
#include "19-fine-tuning/peft.h"
#include "base/error.h"
#include "base/memory.h"

/* alpha = 2 rank, as in Biderman et al. 2024. */
static const float LORA_SCALE = 2;

double tuning_rate(const TuningSettings *s) {
    return s->rate > 0 ? s->rate : s->rank || s->adapter ? 2e-2 : 1e-3;
}

/* A warm-up of a tenth of the steps, and down to a tenth of the highest rate. */
static float rate_of(const TuningSettings *s, size_t step) {
    float highest = (float)tuning_rate(s);
    return cosine_rate(highest, highest / 10, step, s->steps / 10, s->steps);
}

/* What the optimizer changes. */
static Params *trained(Tuning *t) {
    return t->adapters.n ? &t->adapters.params : &t->model->params;
}

static Adapters adapters_of(const TuningSettings *settings, const Gpt2 *model) {
    if (settings->adapter) return peft_load(model, settings->adapter);
    Random init = random_stream(settings->seed, STREAM_INIT);
    const AdapterSettings s = {settings->rank, LORA_SCALE, settings->matrices};
    return settings->rank ? adapters_create(model, &s, &init) : (Adapters){0};
}

static Tuning create(const TuningSettings *settings, Gpt2 *model, size_t length) {
    Tuning t = {.settings = *settings,
                .model = model,
                .adapters = adapters_of(settings, model),
                .tape = tape_for_training(settings->seed),
                .length = length};
    adapters_merge(&t.adapters);
    t.optimizer = adamw_create(trained(&t), 0, 0);
    t.optimizer.settings.beta2 = 0.95f;
    size_t tokens = size_mul(settings->batch, length);
    t.inputs = checked_alloc(tokens, sizeof *t.inputs);
    t.targets = checked_alloc(tokens, sizeof *t.targets);
    return t;
}

Tuning tuning_create(const TuningSettings *settings, Gpt2 *model,
                     const Stories *old_text, const Stories *new_text) {
    size_t longest =
        old_text->longest > new_text->longest ? old_text->longest : new_text->longest;
    if (longest - 1 > model->config.n_ctx)
        die("a story has %zu tokens, and the model's context is %zu", longest,
            model->config.n_ctx);
    Tuning t = create(settings, model, longest - 1);
    t.text[OLD].stories = old_text;
    t.text[NEW].stories = new_text;
    return t;
}

Tuning tuning_create_windows(const TuningSettings *settings, Gpt2 *model,
                             const Dataset *old_text, const Dataset *new_text,
                             size_t length) {
    Tuning t = create(settings, model, length);
    t.text[OLD].windows = old_text;
    t.text[NEW].windows = new_text;
    return t;
}

void tuning_free(Tuning *t) {
    if (t->adapters.n) adapters_free(&t->adapters);
    adamw_free(&t->optimizer);
    tape_free(&t->tape);
    free(t->inputs);
    free(t->targets);
}

static void draw_row(const Tuning *t, const TuningText *from, Random *random,
                     int *inputs, int *targets) {
    if (from->windows) {
        dataset_train_window(from->windows, random, t->length, inputs, targets);
        return;
    }
    size_t story = random_below(random, (uint32_t)from->stories->n);
    stories_row(from->stories, story, t->settings.answers_only, t->length, inputs,
                targets);
}

//> batch
/* Each row of a batch is an old story with the probability `replay`. */
static void draw_batch(Tuning *t) {
    Random random = random_stream(t->settings.seed, STREAM_DATA);
    random.next = (uint64_t)t->step << 20; /* the same, however often it is asked */
    for (size_t row = 0; row < t->settings.batch; row++) {
        bool is_old = random_double(&random) < t->settings.replay;
        draw_row(t, &t->text[is_old ? OLD : NEW], &random, t->inputs + row * t->length,
                 t->targets + row * t->length);
    }
}
//< batch

//> step
float tuning_step(Tuning *t) {
    const TuningSettings *s = &t->settings;
    draw_batch(t);
    tape_reset(&t->tape);
    params_zero_grad(&t->model->params);
    Gpt2Input input = {.tokens = t->inputs, .batch = s->batch, .length = t->length};
    Tensor *loss = gpt2_loss(&t->tape, t->model, &input, t->targets);
    tape_backward(&t->tape, loss);
    adapters_backward(&t->adapters);
    double norm = clip_grad_norm(trained(t), 1);
    if (!isfinite(norm)) die("step %zu: the gradients are not finite", t->step + 1);
    t->optimizer.settings.learning_rate = rate_of(s, ++t->step);
    adamw_step(&t->optimizer, trained(t));
    adapters_merge(&t->adapters);
    return loss->data[0];
}
//< step

double tuning_text_loss(Tuning *t, const Dataset *text, size_t most) {
    double sum = 0;
    size_t cursor = 0, counted = 0;
    tape_use_for_inference(&t->tape);
    for (size_t i = 0; i < most; i++) {
        size_t n = dataset_next_window(text, &cursor, t->length, t->inputs, t->targets);
        if (!n) break;
        tape_reset(&t->tape);
        Gpt2Input input = {.tokens = t->inputs, .batch = 1, .length = t->length};
        Tensor *loss = gpt2_loss(&t->tape, t->model, &input, t->targets);
        sum += (double)loss->data[0] * (double)n;
        counted += n;
    }
    tape_use_for_training(&t->tape);
    return sum / (double)counted;
}
