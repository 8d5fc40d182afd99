/* The models of this chapter's experiments: see tuned_models.h. */
#include "19-fine-tuning/experiments/tuned_models.h"

#include <string.h>

#include "12-generation/trained_models.h"

enum { BYTES = 400000, UNSEEN_BYTES = 60000, UNSEEN = 1000003 };

size_t tuned_seeds(bool quick) {
    return quick ? 1 : TUNED_SEEDS;
}

size_t tuned_steps(size_t steps, bool quick) {
    return quick ? steps / 4 : steps;
}

const Base *bases_create(uint64_t first, bool quick) {
    static Base bases[TUNED_SEEDS];
    Tape tape = tape_for_inference();
    for (size_t i = 0; i < tuned_seeds(quick); i++) {
        Base *b = &bases[i];
        b->seed = first + i;
        b->model = trained_model(b->seed, quick);
        for (size_t l = OLD; l <= NEW; l++) {
            b->text[l] = stories_create(b->model->tokenizer, 2 * b->seed + l, BYTES, l);
            b->unseen[l] = stories_create(b->model->tokenizer, UNSEEN + 2 * b->seed + l,
                                          UNSEEN_BYTES, l);
            b->before[l] = stories_score(&b->unseen[l], b->model->model, &tape);
        }
    }
    tape_free(&tape);
    return bases;
}

/* The same weights, with gradients. */
static Gpt2 *copy_of(const Gpt2 *model) {
    Gpt2 *copy = gpt2_create(&model->config, PARAMS_TRAIN, NULL);
    for (size_t i = 0; i < copy->params.n; i++) {
        Tensor *to = copy->params.items[i].tensor;
        memcpy(to->data, model->params.items[i].tensor->data,
               tensor_size(to) * sizeof *to->data);
    }
    return copy;
}

Tuned base_tune(const Base *base, const TuningSettings *settings) {
    TuningSettings s = *settings;
    s.seed = base->seed;
    s.batch = 16;
    Gpt2 *model = copy_of(base->model->model);
    Tuning t = tuning_create(&s, model, &base->text[OLD], &base->text[NEW]);
    while (t.step < s.steps) tuning_step(&t);
    Tuned tuned = {.trained = t.optimizer.n};
    for (size_t l = OLD; l <= NEW; l++)
        tuned.score[l] = stories_score(&base->unseen[l], model, &t.tape);
    tuned.forgotten = tuned.score[OLD].above - base->before[OLD].above;
    tuning_free(&t);
    gpt2_free(model);
    return tuned;
}
