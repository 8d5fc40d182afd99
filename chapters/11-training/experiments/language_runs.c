/* Small trainings on the built-in language: see language_runs.h. */
#include "11-training/experiments/language_runs.h"

enum { VOCABULARY = 512, TRAIN_BYTES = 4000000, VALIDATION_BYTES = 20000, HEAD = 8 };

Language language_create(uint64_t seed) {
    Language l = {.tokenizer = dataset_tokenizer(NULL, seed, VOCABULARY)};
    l.data = dataset_corpus(l.tokenizer, seed, TRAIN_BYTES, VALIDATION_BYTES);
    return l;
}

void language_free(Language *l) {
    dataset_free(&l->data);
    tokenizer_free(l->tokenizer);
}

TrainSettings language_settings(const Language *l, size_t n_layer, size_t d_model,
                                size_t batch, size_t steps, double rate,
                                uint64_t seed) {
    size_t n_head = d_model >= 4 * HEAD ? 4 : d_model / HEAD;
    Gpt2Config model = gpt2_config(l->data.n_vocab, WINDOW, n_layer, n_head, d_model);
    TrainSettings s = train_settings(&model);
    s.batch = batch;
    s.steps = steps;
    s.warmup = steps / 10;
    s.learning_rate = (float)rate;
    s.lowest_rate = (float)rate / 10;
    s.seed = seed;
    return s;
}

void train_to_end(Trainer *t) {
    while (t->step < t->settings.steps) trainer_step(t);
}

double language_train(const Language *l, const TrainSettings *settings) {
    Trainer t = trainer_create(settings, &l->data, NULL);
    train_to_end(&t);
    double loss = trainer_validate(&t, 0);
    trainer_free(&t);
    return loss;
}
