/* A model of three tokens or more that was loaded from damaged files computes. */
#ifndef TESTS_FUZZ_MODEL_H
#define TESTS_FUZZ_MODEL_H

#include "10-gpt2/gpt2.h"

static inline void run_and_free(Gpt2 *model) {
    Tape t = tape_for_inference();
    gpt2_logits(&t, model,
                &(Gpt2Input){.tokens = (int[]){0, 2}, .batch = 1, .length = 2});
    tape_free(&t);
    gpt2_free(model);
}

#endif
