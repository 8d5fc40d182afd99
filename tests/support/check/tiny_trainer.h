/* A trainer so small that a fuzzer makes thousands of them a second. */
#ifndef TESTS_TINY_TRAINER_H
#define TESTS_TINY_TRAINER_H

#include "11-training/train.h"

static inline Trainer tiny_trainer(const Dataset *data) {
    Gpt2Config config = gpt2_config(data->n_vocab, 2, 1, 1, 2);
    TrainSettings s = train_settings(&config);
    s.batch = 1;
    s.length = 2;
    s.steps = 3;
    s.warmup = 1;
    return trainer_create(&s, data, NULL);
}

#endif
