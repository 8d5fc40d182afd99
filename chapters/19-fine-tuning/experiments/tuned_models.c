/* The models of this chapter's experiments: see tuned_models.h. */
#include "19-fine-tuning/experiments/tuned_models.h"

#include <string.h>

#include "12-generation/trained_models.h"

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
        b->languages = languages_create(b->model->tokenizer, b->seed);
        for (size_t l = OLD; l <= NEW; l++)
            b->before[l] =
                stories_score(&b->languages.unseen[l], b->model->model, &tape);
    }
    tape_free(&tape);
    return bases;
}

static void copy_numbers(Tensor *to, const Tensor *from) {
    memcpy(to->data, from->data, tensor_size(to) * sizeof *to->data);
}

Tuned base_tune(const Base *base, const TuningSettings *settings, bool tables_stay) {
    TuningSettings s = *settings;
    s.seed = base->seed;
    s.batch = 16;
    const Gpt2 *before = base->model->model;
    Gpt2 *model = gpt2_copy(before);
    const Languages *both = &base->languages;
    Tuning t = tuning_create(&s, model, &both->text[OLD], &both->text[NEW]);
    Tuned tuned = {.trained = t.optimizer.n};
    if (tables_stay) tuned.trained -= tensor_size(model->wte) + tensor_size(model->wpe);
    while (t.step < s.steps) {
        tuning_step(&t);
        if (!tables_stay) continue;
        copy_numbers(model->wte, before->wte);
        copy_numbers(model->wpe, before->wpe);
    }
    for (size_t l = OLD; l <= NEW; l++)
        tuned.score[l] = stories_score(&both->unseen[l], model, &t.tape);
    tuned.forgotten = tuned.score[OLD].above - base->before[OLD].above;
    tuning_free(&t);
    gpt2_free(model);
    return tuned;
}
