/* Fine-tuning: see tuning.h. */
#include "19-fine-tuning/tuning.h"

#include <math.h>
#include <stdlib.h>

#include "11-training/clip_grad_norm.h"
#include "11-training/cosine.h"
#include "11-training/train.h"
#include "base/error.h"
#include "base/memory.h"

/* alpha = 2 rank, as in Biderman et al. 2024. */
static const float LORA_SCALE = 2;

double tuning_rate(const TuningSettings *s) {
    return s->rate > 0 ? s->rate : s->rank ? 2e-2 : 1e-3;
}

/* A warm-up of a tenth of the steps, and down to a tenth of the highest rate. */
static float rate_of(const TuningSettings *s, size_t step) {
    float highest = (float)tuning_rate(s);
    return cosine_rate(highest, highest / 10, step, s->steps / 10, s->steps);
}

/* What the optimizer changes. */
static Params *trained(Tuning *t) {
    return t->settings.rank ? &t->adapters.params : &t->model->params;
}

Tuning tuning_create(const TuningSettings *settings, Gpt2 *model,
                     const Stories *old_text, const Stories *new_text) {
    size_t longest =
        old_text->longest > new_text->longest ? old_text->longest : new_text->longest;
    Tuning t = {.settings = *settings,
                .model = model,
                .old_text = old_text,
                .new_text = new_text,
                .tape = tape_for_training(settings->seed),
                .length = longest - 1};
    if (t.length > model->config.n_ctx)
        die("a story has %zu tokens, and the model's context is %zu", longest,
            model->config.n_ctx);
    if (settings->rank) {
        Random init = random_stream(settings->seed, STREAM_INIT);
        t.adapters = adapters_create(model, settings->rank, LORA_SCALE, &init);
    }
    t.optimizer = adamw_create(trained(&t), 0, 0);
    t.optimizer.settings.beta2 = 0.95f;
    size_t tokens = size_mul(settings->batch, t.length);
    t.inputs = checked_alloc(tokens, sizeof *t.inputs);
    t.targets = checked_alloc(tokens, sizeof *t.targets);
    return t;
}

void tuning_free(Tuning *t) {
    if (t->settings.rank) adapters_free(&t->adapters);
    adamw_free(&t->optimizer);
    tape_free(&t->tape);
    free(t->inputs);
    free(t->targets);
}

//> batch
/* Each story of a batch is an old one with the probability `replay`. */
static void draw_batch(Tuning *t) {
    const TuningSettings *s = &t->settings;
    Random random = random_stream(s->seed, STREAM_DATA);
    random.next = (uint64_t)t->step << 20; /* the same, however often it is asked */
    for (size_t row = 0; row < s->batch; row++) {
        bool is_old = random_double(&random) < s->replay;
        const Stories *from = is_old ? t->old_text : t->new_text;
        size_t story = random_below(&random, (uint32_t)from->n);
        stories_row(from, story, s->answers_only, t->length,
                    t->inputs + row * t->length, t->targets + row * t->length);
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
    if (s->rank) adapters_backward(&t->adapters);
    double norm = clip_grad_norm(trained(t), 1);
    if (!isfinite(norm)) die("step %zu: the gradients are not finite", t->step + 1);
    t->optimizer.settings.learning_rate = rate_of(s, ++t->step);
    adamw_step(&t->optimizer, trained(t));
    if (s->rank) adapters_merge(&t->adapters);
    return loss->data[0];
}
//< step
