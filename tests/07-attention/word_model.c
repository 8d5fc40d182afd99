/* Tests of what the experiments share: the model of attention alone, and the language
 * with a rule. */
#include "07-attention/experiments/word_model.h"

#include <math.h>
#include <string.h>

#include "07-attention/experiments/leak_model.h"
#include "check/check.h"

enum { WORDS = 6, LENGTH = 5 };

static WordModel small_model(bool causal) {
    Random init = random_create(2);
    WordModelConfig config = {.n_words = WORDS,
                              .length = LENGTH,
                              .n_layer = 2,
                              .d_model = 8,
                              .n_head = 2,
                              .causal = causal,
                              .norm = NORM_LAYER};
    return word_model_create(&config, &init);
}

/* How many of the logits of words 0 to 3 change with word 4. */
static size_t changes(bool causal) {
    WordModel m = small_model(causal);
    Tape t = tape_for_inference();
    const Tensor *before =
        word_model_logits(&t, &m, (int[]){0, 1, 2, 3, 4}, 1, LENGTH, NULL);
    const Tensor *after =
        word_model_logits(&t, &m, (int[]){0, 1, 2, 3, 5}, 1, LENGTH, NULL);
    size_t n = 0;
    for (size_t i = 0; i < 4 * WORDS; i++) n += before->data[i] != after->data[i];
    return n;
}

Test(word_model, causal_sees_no_later_word, .timeout = 10) {
    CHECK(changes(true) == 0, "%zu logits of earlier words change with the last word",
          changes(true));
    CHECK(changes(false) > 0, "without a mask the last word changes nothing");
}

Test(word_model, gives_the_weights_of_each_layer, .timeout = 10) {
    WordModel m = small_model(true);
    Tape t = tape_for_inference();
    Tensor *weights[2];
    word_model_logits(&t, &m, (int[]){5, 4, 3, 2, 1, 0}, 2, 3, weights);
    for (size_t l = 0; l < 2; l++) {
        CHECK(tensor_size(weights[l]) == 2 * 2 * 3 * 3, "layer %zu: %zu weights", l,
              tensor_size(weights[l]));
        for (size_t row = 0; row < 2 * 2 * 3; row++) {
            const float *w = weights[l]->data + row * 3;
            CHECK(fabsf(w[0] + w[1] + w[2] - 1) < 1e-6f,
                  "layer %zu, row %zu: no sum of 1", l, row);
        }
    }
}

/* The rule's word has one chance in 16 of the last quarter, too. */
Test(leak_model, entropy_of_the_rule, .timeout = 10) {
    double share = 49.0 / 64, other = 1.0 / 64;
    CHECK_NUMBER("share", leak_rule_share(), share, 1e-7);
    CHECK_NUMBER("entropy", leak_rule_entropy(),
                 -share * log(share) - 15 * other * log(other), 1e-6);
}
